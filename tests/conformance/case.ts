/**
 * What a case of the conformance table is.
 *
 * Each holds what xterm does by its documentation (ctlseqs) against two terminals: ours and tmux. Who differs is named
 * with the reason, and a difference that has gone away fails, so the table and docs/screen.md stay true.
 */

import type { Size } from '@agentpty/protocol'

/** Of every case: small, so that edges are near. */
export const caseSize: Size = { cols: 20, rows: 6 }

/** What is not named is not compared, except replies: none are expected then. */
export interface Expectation {
  /** The rows with `|` left of the cell the cursor stands on, without the empty ones at the end. */
  readonly screen?: readonly string[]
  /** All replies that the program gets, in order; a pattern where terminals may reply with different values. */
  readonly replies?: string | RegExp
  /** The style of the first cell of the first row, as the parameters of an SGR; empty is plain. */
  readonly sgr?: string
  readonly title?: string
  readonly cursorVisible?: boolean
  readonly alternateScreen?: boolean
}

/** What we show instead, and why it is so. */
export interface OurDifference extends Expectation {
  readonly why: string
}

export interface Case extends Expectation {
  /** What a terminal must do, as a sentence. */
  readonly name: string
  readonly bytes: string | Uint8Array
  readonly ours?: OurDifference
  /** Why tmux shows something else. */
  readonly tmux?: string
}

export interface Sequence {
  /** As people write it: `CSI n A`. */
  readonly form: string
  readonly name: string
  readonly does: string
  /** Whose rule it is, when xterm's documentation does not have it. */
  readonly beyondXterm?: string
  readonly cases: readonly Case[]
}

export interface Section {
  readonly title: string
  readonly sequences: readonly Sequence[]
}

/** What a terminal has shown after the bytes of a case. */
export interface Seen {
  readonly screen: readonly string[]
  readonly replies: string
  readonly sgr: string
  readonly title: string
  readonly cursorVisible: boolean
  readonly alternateScreen: boolean
}
