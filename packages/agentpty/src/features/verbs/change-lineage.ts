import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const changeLineage: Handler<'changeLineage'> = (engine, input, context, call) =>
  engine.agents.changeLineage(input, terminalsOf(engine, context, call))
