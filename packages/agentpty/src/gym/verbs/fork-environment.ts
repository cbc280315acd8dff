import type { Handler } from '../../server/call/handler.ts'
import { environmentCall } from './environment-call.ts'

export const forkEnvironment: Handler<'forkEnvironment'> = (engine, { environmentId, how }, context, call) =>
  engine.environments.fork(environmentId, how, environmentCall(engine, context, call))
