import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const fork: Handler<'fork'> = (engine, input, context, call) =>
  engine.agents.fork(input, terminalsOf(engine, context, call))
