import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const stepEnvironment: Handler<'stepEnvironment'> = (engine, { environmentId, action }, context, call) =>
  engine.environments.step(environmentId, action, environmentCall(engine, context, call))
