import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const lineage: Handler<'lineage'> = (engine, input, context, call) =>
  engine.agents.lineage(input, terminalsOf(engine, context, call))
