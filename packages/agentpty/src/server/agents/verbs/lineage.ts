import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const lineage: Handler<'lineage'> = (engine, input, context, call) =>
  engine.agents.lineage(input, terminalsOf(engine, context, call))
