import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const spawn: Handler<'spawn'> = (engine, input, context, call) =>
  engine.agents.spawn(input, terminalsOf(engine, context, call))
