import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const resume: Handler<'resume'> = (engine, input, context, call) =>
  engine.agents.resume(input, terminalsOf(engine, context, call))
