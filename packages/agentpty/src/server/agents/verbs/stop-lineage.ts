import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const stopLineage: Handler<'stopLineage'> = (engine, input, context, call) =>
  engine.agents.stopLineage(input, terminalsOf(engine, context, call))
