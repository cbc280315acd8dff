/**
 * Output that has come and has not been parsed. Output that is mostly text is parsed immediately; output dense with escape
 * sequences is more work, so that it takes turns with other sessions. The host sends no more than `unparsedBytesMax`.
 */

import { type Clock, inboxPieceBytes, type Offset, parseTurnMs } from '@agentpty/protocol'
import { controlByte } from '@agentpty/protocol/escapes'
import { longTurns } from './flood-gathering.ts'

/** This many escape sequences are parsed within half a millisecond. */
const sequencesMax = 512

interface Piece {
  readonly offset: Offset
  readonly bytes: Uint8Array
}

export class Inbox {
  readonly #clock: Clock
  readonly #take: (offset: Offset, bytes: Uint8Array) => void
  #pieces: Piece[] = []

  constructor(clock: Clock, take: (offset: Offset, bytes: Uint8Array) => void) {
    this.#clock = clock
    this.#take = take
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** The bytes are the caller's again when this returns. */
  add(offset: Offset, bytes: Uint8Array): void {
    if (this.isEmpty && !isDense(bytes)) {
      this.#take(offset, bytes)
      return
    }
    const isFirst = this.isEmpty
    const copy = Uint8Array.from(bytes)
    for (let at = 0; at < copy.length; at += inboxPieceBytes)
      this.#pieces.push({ offset: offset + at, bytes: copy.subarray(at, at + inboxPieceBytes) })
    if (isFirst) longTurns.wait(() => this.#takeTurn())
  }

  /** Drops what has not been parsed. */
  clear(): void {
    this.#pieces = []
  }

  #takeTurn(): void {
    const until = this.#clock.now() + parseTurnMs
    do {
      const [piece] = this.#pieces
      if (piece === undefined) return
      // Removed before it is parsed: after the last piece everything is known, an exit too.
      this.#pieces.shift()
      this.#take(piece.offset, piece.bytes)
    } while (this.#clock.now() < until)
    if (!this.isEmpty) longTurns.wait(() => this.#takeTurn())
  }
}

function isDense(bytes: Uint8Array): boolean {
  let at = -1
  for (let count = 0; count < sequencesMax; count += 1) {
    at = bytes.indexOf(controlByte.esc, at + 1)
    if (at < 0) return false
  }
  return true
}
