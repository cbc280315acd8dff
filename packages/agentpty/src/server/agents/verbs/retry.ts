import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const retry: Handler<'retry'> = (engine, input, context, call) =>
  engine.agents.retry(input, terminalsOf(engine, context, call))
