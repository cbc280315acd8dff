/** The verbs of environments. */

import type { Handlers } from '@agentpty/server/call'
import { environmentCall } from './verbs/environment-call.ts'
import { execInEnvironment } from './verbs/exec-in-environment.ts'
import { makeEnvironment } from './verbs/make-environment.ts'

export const gymHandlers = {
  closeEnvironment: async (engine, { environmentId }, context, call) => {
    await engine.environments.close(environmentId, environmentCall(engine, context, call))
    return { closed: true }
  },
  environments: async ({ environments: kept }) => ({
    environments: kept.list().map((one) => ({ ...one })),
  }),
  execInEnvironment,
  forkEnvironment: (engine, { environmentId, how }, context, call) =>
    engine.environments.fork(environmentId, how, environmentCall(engine, context, call)),
  makeEnvironment,
  resetEnvironment: (engine, { environmentId, seed = null }, context, call) =>
    engine.environments.reset(environmentId, { seed }, environmentCall(engine, context, call)),
  stepEnvironment: (engine, input, context, call) => {
    const { environmentId, action, timeoutMs = null } = input
    return engine.environments.step(environmentId, { action, timeoutMs }, environmentCall(engine, context, call))
  },
  verifyEnvironment: (engine, { environmentId }, context, call) =>
    engine.environments.verify(environmentId, environmentCall(engine, context, call)),
} satisfies Partial<Handlers>
