import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const closeEnvironment: Handler<'closeEnvironment'> = async (engine, { environmentId }, context, call) => {
  await engine.environments.close(environmentId, environmentCall(engine, context, call))
  return { closed: true }
}
