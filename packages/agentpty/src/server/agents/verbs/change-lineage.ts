import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const changeLineage: Handler<'changeLineage'> = (engine, input, context, call) =>
  engine.agents.changeLineage(input, terminalsOf(engine, context, call))
