import type { Clock } from '../../contracts/ports.ts'
import type { ToolCall } from '../../contracts/toolset.ts'
import type { AgentNotes } from './termtile-notes.ts'

/** A call of one of termtile's tools, with what the door has. */
export interface TermtileCall extends ToolCall {
  readonly clock: Clock
  readonly notes: AgentNotes
}
