import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const inbox: Handler<'inbox'> = (engine, input, context, call) =>
  engine.agents.inbox(input, terminalsOf(engine, context, call))
