/**
 * The format of a case in the conformance table.
 *
 * Each case compares two terminals, ours and tmux, with xterm's documented behaviour (ctlseqs). A terminal that differs is named
 * with the reason. A difference that has disappeared fails, so the table and docs/screen.md stay true.
 */

import type { Size } from '@agentpty/protocol'

/** The size of every case: small, so that edges are near. */
export const caseSize: Size = { cols: 20, rows: 6 }

/** Fields that are absent are not compared, except replies: then none are expected. */
export interface Expectation {
  /** The rows with `|` left of the cursor's cell, without the empty ones at the end. */
  readonly screen?: readonly string[]
  /** All replies to the program, in order; a pattern if terminals may reply with different values. */
  readonly replies?: string | RegExp
  /** The style of the first cell of the first row, as the parameters of an SGR; empty is plain. */
  readonly sgr?: string
  readonly title?: string
  readonly cursorVisible?: boolean
  readonly alternateScreen?: boolean
}

/** Our behaviour instead, and its reason. */
export interface OurDifference extends Expectation {
  readonly why: string
}

export interface Case extends Expectation {
  /** The required behaviour, as a sentence. */
  readonly name: string
  readonly bytes: string | Uint8Array
  readonly ours?: OurDifference
  /** The reason for tmux's difference. */
  readonly tmux?: string
}

export interface Sequence {
  /** The sequence in its usual notation: `CSI n A`. */
  readonly form: string
  readonly name: string
  readonly does: string
  /** The source of the rule, if it is not xterm's documentation. */
  readonly beyondXterm?: string
  readonly cases: readonly Case[]
}

export interface Section {
  readonly title: string
  readonly sequences: readonly Sequence[]
}

/** The state of a terminal after the bytes of a case. */
export interface Seen {
  readonly screen: readonly string[]
  readonly replies: string
  readonly sgr: string
  readonly title: string
  readonly cursorVisible: boolean
  readonly alternateScreen: boolean
}
