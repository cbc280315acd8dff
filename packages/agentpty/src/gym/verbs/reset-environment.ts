import type { Handler } from '../../server/call/handler.ts'
import { environmentCall } from './environment-call.ts'

export const resetEnvironment: Handler<'resetEnvironment'> = (engine, { environmentId, seed = null }, context, call) =>
  engine.environments.reset(environmentId, { seed }, environmentCall(engine, context, call))
