import type { AgentCall } from '../parts/agents/agent-call.ts'
import type { QueuedAgents } from './queued-agents.ts'

/** A call of one of the tools, with what the toolset keeps. */
export interface CallOfAgents extends AgentCall {
  readonly queue: QueuedAgents
  /** Wall time as text. */
  readonly isoTime: (wall: number) => string
}
