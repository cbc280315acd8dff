import { terminalsOf } from './steps/agent-terminals.ts'
import type { Handler } from './steps/handler.ts'

export const agents: Handler<'agents'> = (engine, input, context, call) =>
  engine.agents.agents(input, terminalsOf(engine, context, call))
