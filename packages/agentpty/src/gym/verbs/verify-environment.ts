import type { Handler } from '../../server/call/handler.ts'
import { environmentCall } from './environment-call.ts'

export const verifyEnvironment: Handler<'verifyEnvironment'> = (engine, { environmentId }, context, call) =>
  engine.environments.verify(environmentId, environmentCall(engine, context, call))
