import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const forkEnvironment: Handler<'forkEnvironment'> = (engine, { environmentId, how }, context, call) =>
  engine.environments.fork(environmentId, how, environmentCall(engine, context, call))
