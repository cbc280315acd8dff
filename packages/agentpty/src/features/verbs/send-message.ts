import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const sendMessage: Handler<'sendMessage'> = (engine, input, context, call) =>
  engine.agents.sendMessage(input, terminalsOf(engine, context, call))
