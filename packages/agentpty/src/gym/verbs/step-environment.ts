import type { Handler } from '../../server/call/handler.ts'
import { environmentCall } from './environment-call.ts'

export const stepEnvironment: Handler<'stepEnvironment'> = (engine, input, context, call) => {
  const { environmentId, action, timeoutMs = null } = input
  return engine.environments.step(environmentId, { action, timeoutMs }, environmentCall(engine, context, call))
}
