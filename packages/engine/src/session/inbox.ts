/**
 * Output that has come and has not been parsed. Output that is mostly text is parsed immediately; output dense with escape
 * sequences is more work, so that it takes turns with other sessions. The host sends no more than `unparsedBytesMax`.
 */

import {
  type Clock,
  inboxPieceBytes,
  type Millis,
  type Offset,
  parseSliceMicros,
  parseTurnMs,
  type Stop,
  skimBytesMax,
  skimGatherBytes,
  skimGatherMsMax,
  skimQuietMs,
} from '@agentpty/protocol'
import { controlByte } from '@agentpty/protocol/escapes'
import type { OutputLog } from '../log/output-log.ts'

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

/**
 * Gathers a flood before it is passed over: the more there is, the less of it has to be drawn, and its last lines are
 * not drawn before it ends. Not for long, because waits see only what has been passed over or drawn.
 */
export class FloodGathering {
  readonly #clock: Clock
  readonly #log: OutputLog
  readonly #over: () => void
  /** The output that came last was passed over. */
  #isFlood = false
  /** No output has come for a moment: the gathered output is to be drawn. */
  #isQuiet = false
  #hasEnded = false
  #cancel: Stop | null = null

  /** `over` is called when the gathered output is to be drawn. */
  constructor(clock: Clock, log: OutputLog, over: () => void) {
    this.#clock = clock
    this.#log = log
    this.#over = over
  }

  /** The log has grown. */
  grown(): void {
    this.#isQuiet = false
  }

  /** The log will not grow any more. */
  ended(): void {
    this.#hasEnded = true
    if (this.#cancel !== null) this.#stopWaiting(true)
  }

  skimmed(passedOver: number): void {
    this.#isFlood = passedOver > 0
  }

  /** Should the output from `from` on wait for more? Up to `moreThan` bytes do not begin to wait. */
  waitsFrom(from: Offset, moreThan: number): boolean {
    const pending = this.#log.end - from
    const goesOn = this.#isFlood && !this.#isQuiet && !this.#hasEnded
    const isMuch = this.#cancel !== null || pending > moreThan
    const waits = goesOn && isMuch && pending < Math.min(skimGatherBytes, this.#log.capacityBytes / 4)
    if (!waits) this.stop()
    else if (this.#cancel === null) this.#wait(this.#clock.now() + skimGatherMsMax)
    return waits
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  /** Until nothing has come for a moment, or it has been too long. */
  #wait(latest: Millis): void {
    const seen = this.#log.end
    this.#cancel = this.#clock.callAt(Math.min(this.#clock.now() + skimQuietMs, latest), () => {
      const isQuiet = this.#log.end === seen
      if (!isQuiet && this.#clock.now() < latest) this.#wait(latest)
      else this.#stopWaiting(isQuiet)
    })
  }

  #stopWaiting(isQuiet: boolean): void {
    this.stop()
    this.#isFlood = false
    this.#isQuiet = isQuiet
    this.#over()
  }
}

/** The first slice too: an emulator that has hardly run takes twenty times as long; slices have grown after six of them. */
const microsMin = 50
/** Where nothing could be passed over, the next search comes this many slices later, or fewer after a small piece. */
const slicesBetweenSkims = 8

/** Chooses how much output of a session is drawn at a time: guessed from its sequences, corrected by the time it took. */
export class SlicePace {
  #micros: number = microsMin
  #turnBegan: Millis | null = null
  #sliceBegan: Millis | null = null
  #slicesToSkim = 0

  get micros(): number {
    return this.#micros
  }

  get maySkim(): boolean {
    return this.#slicesToSkim <= 0
  }

  /** A turn begins at `now`, or when its first slice is drawn. */
  begin(now: Millis | null = null): void {
    this.#turnBegan = now
    this.#sliceBegan = now
  }

  skimmed(passedOver: number, searched: number): void {
    this.#slicesToSkim = passedOver > 0 ? 0 : Math.ceil((slicesBetweenSkims * searched) / skimBytesMax)
  }

  /** A slice has been drawn. Is the turn over? */
  sliced(now: Millis): boolean {
    this.#slicesToSkim -= 1
    if (this.#sliceBegan !== null) this.#learn((now - this.#sliceBegan) * 1_000)
    this.#sliceBegan = now
    this.#turnBegan ??= now
    return now - this.#turnBegan >= parseTurnMs / 2
  }

  #learn(micros: number): void {
    if (micros > 2 * parseSliceMicros) this.#micros = Math.max(microsMin, (this.#micros * parseSliceMicros) / micros)
    else if (micros < parseSliceMicros / 2) this.#micros = Math.min(parseSliceMicros, this.#micros * 2)
  }
}

// Sessions that have much to draw, and large answers, wait here for their turn: one turn between two reads of the
// sockets, so that other sessions' input, output and waits continue during a flood.

class LongTurns {
  #waiting: (() => void)[] = []

  /** Calls when it is this caller's turn, in the order in which they came. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    if (this.#waiting.length === 1) this.#next()
  }

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.wait(resolve))
  }

  #next(): void {
    setImmediate(() => {
      const [first] = this.#waiting
      try {
        first?.()
      } finally {
        this.#waiting.shift()
        if (this.#waiting.length > 0) this.#next()
      }
    })
  }
}

/** For all sessions of this process: they share its one thread. */
export const longTurns = new LongTurns()
