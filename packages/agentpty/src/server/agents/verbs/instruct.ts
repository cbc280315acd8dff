import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const instruct: Handler<'instruct'> = (engine, input, context, call) =>
  engine.agents.instruct(input, terminalsOf(engine, context, call))
