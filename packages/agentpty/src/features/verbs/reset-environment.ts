import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const resetEnvironment: Handler<'resetEnvironment'> = (engine, { environmentId, seed = null }, context, call) =>
  engine.environments.reset(environmentId, { seed }, environmentCall(engine, context, call))
