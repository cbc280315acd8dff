import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const keepAnswer: Handler<'keepAnswer'> = (engine, input, context, call) =>
  engine.agents.keepAnswer(input, terminalsOf(engine, context, call))
