import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const sentMessages: Handler<'sentMessages'> = (engine, input, context, call) =>
  engine.agents.sentMessages(input, terminalsOf(engine, context, call))
