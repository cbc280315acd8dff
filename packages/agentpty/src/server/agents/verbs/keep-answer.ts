import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const keepAnswer: Handler<'keepAnswer'> = (engine, input, context, call) =>
  engine.agents.keepAnswer(input, terminalsOf(engine, context, call))
