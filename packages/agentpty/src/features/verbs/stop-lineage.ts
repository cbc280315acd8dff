import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const stopLineage: Handler<'stopLineage'> = (engine, input, context) =>
  engine.agents.stopLineage(input, terminalsOf(engine, context))
