import type { BoundedMap, Clock } from '@agentpty/protocol'
import type { ToolCall } from '@agentpty/protocol/mcp'
import type { QueuedAgents } from './queued-agents.ts'

/** A call of one of termtile's tools, with what the door keeps. */
export interface AgentCall extends ToolCall {
  readonly clock: Clock
  readonly queue: QueuedAgents
  /** The lines that `read_from_agent` returned last, by terminal. */
  readonly lastRead: BoundedMap<string, readonly string[]>
}
