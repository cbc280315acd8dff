import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const artifact: Handler<'artifact'> = (engine, input, context, call) =>
  engine.agents.artifact(input, terminalsOf(engine, context, call))
