import type { AgentCall } from '../parts/agents/agent-call.ts'

/** A call of one of the tools, with what the toolset keeps. */
export interface CallOfAgents extends AgentCall {
  /** Wall time as text. */
  readonly isoTime: (wall: number) => string
}
