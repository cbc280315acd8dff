import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const inbox: Handler<'inbox'> = (engine, input, context, call) =>
  engine.agents.inbox(input, terminalsOf(engine, context, call))
