import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const verifyEnvironment: Handler<'verifyEnvironment'> = (engine, { environmentId }, context, call) =>
  engine.environments.verify(environmentId, environmentCall(engine, context, call))
