import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const stopLineage: Handler<'stopLineage'> = (engine, input, context, call) =>
  engine.agents.stopLineage(input, terminalsOf(engine, context, call))
