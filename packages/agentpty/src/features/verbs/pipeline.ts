import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const pipeline: Handler<'pipeline'> = (engine, input, context, call) =>
  engine.agents.pipeline(input, terminalsOf(engine, context, call))
