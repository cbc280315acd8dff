import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const resume: Handler<'resume'> = (engine, input, context, call) =>
  engine.agents.resume(input, terminalsOf(engine, context, call))
