import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const sentMessages: Handler<'sentMessages'> = (engine, input, context, call) =>
  engine.agents.sentMessages(input, terminalsOf(engine, context, call))
