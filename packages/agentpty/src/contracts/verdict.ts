/** Whose turn it is in a session, and why we think so. */

import type { Millis } from './units.ts'

export const states = ['ready', 'busy', 'exited'] as const
export type State = (typeof states)[number]

/** What kind of input a waiting program expects. `other` when it waits and nothing tells how. */
export const kinds = [
  'shell',
  'line',
  'password',
  'key',
  'pager',
  'repl',
  'menu',
  'editor',
  'tui',
  'agent',
  'remote',
  'other',
] as const
export type Kind = (typeof kinds)[number]

export const confidences = ['low', 'medium', 'high', 'certain'] as const
export type Confidence = (typeof confidences)[number]

export interface Verdict {
  readonly state: State
  /** Null unless ready. */
  readonly kind: Kind | null
  readonly confidence: Confidence
  /** What was seen, in words, strongest first: "bash waits in select on this terminal". */
  readonly evidence: readonly string[]
  /** Monotonic time since which this holds. */
  readonly since: Millis
}
