import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const awaitAgents: Handler<'awaitAgents'> = (engine, input, context, call) =>
  engine.agents.awaitAgents(input, terminalsOf(engine, context, call))
