/** Whose turn it is in a session, and why we think so. */

import type { Millis } from '../units.ts'

export const states = ['ready', 'busy', 'exited'] as const
export type State = (typeof states)[number]

/** Kinds of input that a waiting program expects. `other` when it waits without any sign of the kind. */
export const kinds = [
  'shell',
  'continuation',
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

/** Weakest first: a minimum of confidence is an index. */
export const confidences = ['low', 'medium', 'high', 'certain'] as const
export type Confidence = (typeof confidences)[number]

/** How often a verdict of this confidence is right, as measured by `npm run bench:waiting`. */
export const probabilities: Readonly<Record<Confidence, number>> = {
  low: 0.93,
  medium: 0.955,
  high: 0.985,
  certain: 0.999,
}

export function isAtLeast(confidence: Confidence, floor: Confidence): boolean {
  return confidences.indexOf(confidence) >= confidences.indexOf(floor)
}

export interface Verdict {
  readonly state: State
  /** Null unless ready. */
  readonly kind: Kind | null
  readonly confidence: Confidence
  /** `answer`: a dialog of an agent or the like is up. It takes an answer to its question, not an instruction. */
  readonly needs: 'answer' | null
  /** The question of the dialog, as far as it can be read. */
  readonly question: string | null
  /** Observations in words, strongest first: "bash waits in select on this terminal". */
  readonly evidence: readonly string[]
  /** The row of the table in docs/waiting.md that decided, behind the title of its section. */
  readonly rule: string
  /** Monotonic time since which this holds. */
  readonly since: Millis
}
