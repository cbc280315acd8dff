import type { ToolCall } from '../../contracts/mcp/toolset.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { AgentNotes } from './notes.ts'

/** A call of one of termtile's tools, with what the door has. */
export interface TermtileCall extends ToolCall {
  readonly clock: Clock
  readonly notes: AgentNotes
}
