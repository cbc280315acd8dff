import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const retry: Handler<'retry'> = (engine, input, context, call) =>
  engine.agents.retry(input, terminalsOf(engine, context, call))
