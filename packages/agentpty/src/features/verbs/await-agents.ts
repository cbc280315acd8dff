import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const awaitAgents: Handler<'awaitAgents'> = (engine, input, context, call) =>
  engine.agents.awaitAgents(input, terminalsOf(engine, context, call))
