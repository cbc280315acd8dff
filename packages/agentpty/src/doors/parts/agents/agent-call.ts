import type { BoundedMap } from '../../../contracts/bounded-map.ts'
import type { ToolCall } from '../../../contracts/mcp/toolset.ts'
import type { Clock } from '../../../contracts/ports.ts'

/** A call of one of termtile's tools, with what the door keeps. */
export interface AgentCall extends ToolCall {
  readonly clock: Clock
  /** The lines that `read_from_agent` returned last, by terminal. */
  readonly lastRead: BoundedMap<string, readonly string[]>
}
