import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const sendMessage: Handler<'sendMessage'> = (engine, input, context, call) =>
  engine.agents.sendMessage(input, terminalsOf(engine, context, call))
