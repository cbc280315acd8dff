/** Where in a program a part of it is run, and what is gathered over all of it. */

import type { Bounds } from './bounds.ts'
import type { Current, Findings } from './findings.ts'
import type { Sinks } from './sinks.ts'
import { nothing, type Stream } from './value.ts'

export interface Gathered {
  readonly ignoresCase: boolean
  readonly findings: Findings
  readonly bounds: Bounds
  readonly sinks: Sinks
}

export interface Scope {
  readonly current: Current
  readonly depth: number
  /** How many levels run in the background or in a pipeline. */
  readonly detached: number
  readonly running: Running | null
  /** What the commands inside of a substitution read. */
  readonly input: Stream
}

export const top: Scope = {
  current: { named: [], words: [] },
  depth: 0,
  detached: 0,
  running: null,
  input: nothing,
}

/** A function or script that is at work, to know when it starts itself. */
interface Running extends Pick<Scope, 'detached'> {
  readonly name: string
  readonly outer: Running | null
}

export function findRunning({ running }: Scope, name: string): Running | null {
  let found = running
  while (found !== null && found.name !== name) found = found.outer
  return found
}
