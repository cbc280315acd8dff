import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const fork: Handler<'fork'> = (engine, input, context, call) =>
  engine.agents.fork(input, terminalsOf(engine, context, call))
