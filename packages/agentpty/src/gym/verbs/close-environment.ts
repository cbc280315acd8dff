import type { Handler } from '../../server/call/handler.ts'
import { environmentCall } from './environment-call.ts'

export const closeEnvironment: Handler<'closeEnvironment'> = async (engine, { environmentId }, context, call) => {
  await engine.environments.close(environmentId, environmentCall(engine, context, call))
  return { closed: true }
}
