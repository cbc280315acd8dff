/** All terminals at a glance, and their needs, for clients that show them. */

import type { LineageNode, NodeStatus } from '../agents/lineage.ts'
import type { NeedKind } from '../need-limits.ts'
import type { Need } from '../needs.ts'
import type { Size } from '../units.ts'
import type { Lease } from './lease.ts'
import type { Kind, State } from './verdict.ts'

export interface OverviewRow {
  readonly terminalId: string
  readonly name: string | null
  /** The title that the program has set; empty without one. */
  readonly title: string
  /** The command that runs there now, according to its shell, or the command it was opened with. */
  readonly program: string
  /** The folder that its shell reports, or in which it was opened. */
  readonly cwd: string
  /** The terminal whose program opened this one; null when it was opened from elsewhere. */
  readonly parentId: string | null
  readonly agent: OverviewAgent | null
  /** Null while it is not known yet. */
  readonly state: State | null
  /** Null unless ready. */
  readonly kind: Kind | null
  /** Null unless it has exited on its own. */
  readonly exitCode: number | null
  /** Null unless a signal has ended it. */
  readonly signal: string | null
  /** It is in this state since then, in milliseconds since 1970. */
  readonly since: number
  /** When its MCP client ended, in milliseconds since 1970; null while that is connected, and for terminals of persons. */
  readonly clientEndedAt: number | null
  readonly isPaused: boolean
  /** Its program runs behind walls. */
  readonly isSandboxed: boolean
  /** The clients that may type; `takenBy` only while a person has taken it over. */
  readonly mayType: Lease['mayType']
  readonly takenBy: string | null
  /** Its need of a person; null: none. */
  readonly need: NeedKind | null
  readonly size: Size
  /** How many clients show all of it now: each page, and each window of an attached person. */
  readonly viewers: number
  /** In milliseconds since 1970, in whole seconds; null when it has printed nothing since the daemon began to look. */
  readonly lastOutputAt: number | null
}

export interface OverviewAgent {
  /** The name of its adapter. */
  readonly type: string
  /** The program's name for its conversation; null where that is not known. */
  readonly conversation: string | null
  /** The first line of what it was last instructed to do; null where that is not known. */
  readonly task: string | null
  /** Input and output tokens together, as its program reports them; null where it does not. */
  readonly tokens: number | null
}

/** Additions and changes by callers to the lineage. Its parent links override those of the terminals when present. */
export interface OverviewNode extends Omit<LineageNode, 'status' | 'updatedAt' | 'cwd'> {
  /** The terminal above it, by its id, or the node where that has none; null: the top level. */
  readonly parentId: string | null
  /** For a node with a terminal, only a status that a caller has set; null: none. */
  readonly status: NodeStatus | null
  /** When anything of it changed last; null of one with a terminal. */
  readonly changedAt: number | null
}

/** A slow reader misses what was between, and never the latest. */
export interface OverviewEvent {
  readonly type: 'overview'
  /** These are all terminals; else only those that have changed. */
  readonly isWhole: boolean
  /** In the order in which they were opened. */
  readonly terminals: readonly OverviewRow[]
  /** The ids of those that are there no more. */
  readonly gone: readonly string[]
  /** All of them, in the order in which they came to be; null where nothing in them has changed. */
  readonly nodes: readonly OverviewNode[] | null
  /** All of them, the newest last; null where nothing in them has changed. */
  readonly needs: readonly Need[] | null
}

export interface OverviewOptions {
  readonly overview: true
  /** Ends the watching. */
  readonly signal?: AbortSignal
}
