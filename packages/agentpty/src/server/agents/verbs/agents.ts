import type { Handler } from '../../call/handler.ts'
import { terminalsOf } from '../agent-terminals.ts'

export const agents: Handler<'agents'> = (engine, input, context, call) =>
  engine.agents.agents(input, terminalsOf(engine, context, call))
