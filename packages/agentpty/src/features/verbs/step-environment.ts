import { environmentCall } from './steps/environment-call.ts'
import type { Handler } from './steps/handler.ts'

export const stepEnvironment: Handler<'stepEnvironment'> = (engine, input, context, call) => {
  const { environmentId, action, timeoutMs = null } = input
  return engine.environments.step(environmentId, { action, timeoutMs }, environmentCall(engine, context, call))
}
