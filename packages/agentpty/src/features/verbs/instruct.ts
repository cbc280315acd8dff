import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const instruct: Handler<'instruct'> = (engine, input, context, call) =>
  engine.agents.instruct(input, terminalsOf(engine, context, call))
