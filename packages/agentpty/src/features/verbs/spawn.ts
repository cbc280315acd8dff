import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const spawn: Handler<'spawn'> = (engine, input, context, call) =>
  engine.agents.spawn(input, terminalsOf(engine, context, call))
