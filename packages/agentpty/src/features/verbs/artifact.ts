import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const artifact: Handler<'artifact'> = (engine, input, context, call) =>
  engine.agents.artifact(input, terminalsOf(engine, context, call))
