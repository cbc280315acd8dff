/**
 * The screen of a session, made only when a caller needs it and then kept up with the log.
 *
 * Most sessions never need one: their text and marks come from the log alone. It is needed when a caller asks for it, when a
 * program asks the terminal a question, and before the log gives up bytes that no screen has seen. Sizes are applied at
 * the offsets where they were changed, so a screen made late is the screen that would have been.
 */

import {
  type Clock,
  type Offset,
  parseSliceBytes,
  parseTurnMs,
  type Size,
  scrollbackRows,
  sizesMax,
  skimBytesMax,
  unparsedBytesMax,
} from '@agentpty/protocol'
import { noneDropped } from '@agentpty/protocol/session'
import type { LogSlice, OutputLog } from '../log/output-log.ts'
import { Screen } from '../screen/screen.ts'
import { FloodGathering, longTurns, SlicePace } from './inbox.ts'
import { ScreenWaits } from './screen-waits.ts'

/** Smaller pieces are drawn without skimming. */
const skimmedBytesMin = 1_024

/** Output of at most this size is drawn synchronously: the emulator's own timer would cost a millisecond. */
const atOnceBytes = 2_048

/** Shared by all sessions: nothing in it is kept, and new memory would cost as much as the reading. */
let peekBuffer: Uint8Array | null = null

export interface Resize extends Size {
  readonly offset: Offset
}

export interface LazyScreenOptions {
  readonly clock: Clock
  readonly log: OutputLog
  /** Sizes in the order of their offsets; the first one is the size at the start. */
  readonly sizes: readonly Resize[]
  /** The end of the history from before this engine. Another engine has answered the questions in it. */
  readonly answerFrom: Offset
  readonly version: string
  readonly onReply: (bytes: Uint8Array) => void
  /** Called when more of the log is on the screen. */
  readonly onParsed: () => void
}

export class LazyScreen {
  readonly #options: LazyScreenOptions
  /** The counts of what its screens have left out, one after the other. */
  readonly dropped = noneDropped()
  readonly #sizes: Resize[]
  #answerFrom: Offset
  #screen: Screen | null = null
  #fedTo: Offset = 0
  /** The content of the log when the screen was made, where the log might evict it. */
  #backlog: LogSlice | null = null
  #isFeeding = false
  #isLive = false
  #isOver = false
  readonly #pace = new SlicePace()
  readonly #gathering: FloodGathering
  readonly #waits: ScreenWaits

  constructor(options: LazyScreenOptions) {
    this.#options = options
    this.#sizes = [...options.sizes]
    this.#answerFrom = options.answerFrom
    this.#waits = new ScreenWaits(options.clock, () => this.#letGo())
    this.#gathering = new FloodGathering(options.clock, options.log, () => {
      this.#feed()
      this.#progressed()
    })
  }

  /** Null until there is a screen that has caught up with the log once. */
  get parsedTo(): Offset | null {
    return this.#isLive && this.#screen !== null ? this.#screen.parsedTo : null
  }

  /** The offset up to which the host may drop output: output that a screen has not drawn must not be lost. */
  get doneTo(): Offset {
    return this.#screen === null ? this.#options.log.end : this.#screen.parsedTo
  }

  /** The screen, if there is one with all of the log on it. */
  get upToDate(): Screen | null {
    return this.#screen !== null && this.#screen.parsedTo >= this.#options.log.end ? this.#screen : null
  }

  get exists(): boolean {
    return this.#screen !== null
  }

  get size(): Size {
    const { cols, rows } = this.#sizes.at(-1) ?? { cols: 80, rows: 24 }
    return { cols, rows }
  }

  /** A program asked something at this offset: from there on the screen answers. */
  answerFrom(offset: Offset): void {
    if (this.#screen !== null) return
    this.#answerFrom = Math.max(this.#answerFrom, offset)
    this.#make()
  }

  /** Makes a screen if there is none. */
  ensure(): void {
    if (this.#screen !== null) return
    // No known question is open, or there would be a screen. A program that asked before has stopped waiting: an answer
    // now would be typed into whatever program reads by then.
    this.#answerFrom = Math.max(this.#answerFrom, this.#options.log.end)
    this.#make()
  }

  #make(): void {
    const { log, version, onReply } = this.#options
    while (this.#sizes.length > 1 && (this.#sizes[1]?.offset ?? 0) <= log.start) this.#sizes.shift()
    const { cols, rows } = this.#sizes[0] ?? this.size
    this.#screen = new Screen({
      cols,
      rows,
      scrollbackRows,
      offset: log.start,
      version,
      onReply,
      dropped: this.dropped,
    })
    this.#fedTo = log.start
    // Output that comes meanwhile may make a small log evict what the screen has not drawn yet.
    if (log.end - log.start + unparsedBytesMax > log.capacityBytes) this.#backlog = log.read({ since: log.start })
    this.feed()
  }

  /** The log has grown. One slice is on its way at a time, so that a flood here leaves room for other sessions. */
  feed(): void {
    this.#gathering.grown()
    this.#feed()
  }

  #feed(): void {
    if (this.#screen === null || this.#isFeeding) return
    this.#pace.begin()
    const screen = this.#screen
    const isLittle = this.#options.log.end - this.#fedTo <= atOnceBytes
    const bytes = this.#nextSlice(screen)
    if (bytes === null) return
    if (isLittle && screen.play(bytes)) this.#parsed(screen)
    else screen.feed(bytes, () => this.#parsed(screen))
  }

  #feedNext(screen: Screen): void {
    const bytes = this.#nextSlice(screen)
    if (bytes !== null) screen.feed(bytes, () => this.#parsed(screen))
  }

  /** The next slice to draw; null when there is nothing to draw now. */
  #nextSlice(screen: Screen): Uint8Array | null {
    const { log } = this.#options
    if (this.#backlog !== null && this.#fedTo >= this.#backlog.next) this.#backlog = null
    if (this.#backlog === null && this.#fedTo < log.start) {
      this.restart()
      return null
    }
    if (this.#fedTo >= log.end) {
      // Callers have seen the history that is still to come: `parsedTo` must not fall back behind it.
      this.#isLive ||= this.#fedTo >= this.#options.answerFrom
      return null
    }
    if (this.#gathers(parseSliceBytes) || this.#passesOver(screen)) return null
    const until = this.#nextBorder(Math.min(log.end, this.#fedTo + parseSliceBytes))
    screen.answerQueries = this.#fedTo >= this.#answerFrom
    this.#isFeeding = true
    const all = this.#take(until)
    const bytes = all.subarray(0, screen.sliceWithin(all, this.#pace.micros))
    this.#fedTo += bytes.length
    return bytes
  }

  /** Whether output is gathered. Never while a caller waits for the screen. */
  #gathers(moreThan: number): boolean {
    if (this.#waits.areNone) return this.#gathering.waitsFrom(this.#fedTo, moreThan)
    this.#gathering.stop()
    return false
  }

  /**
   * Passes over output that need not be drawn. True when the rest waits, for a turn or for more output. In a continuing flood
   * the last lines will be passed over too, so none is drawn before it ends.
   */
  #passesOver(screen: Screen): boolean {
    if (!this.#pace.maySkim) return false
    const { log } = this.#options
    const until = this.#nextBorder(Math.min(log.end, this.#fedTo + skimBytesMax))
    const searched = until - this.#fedTo
    if (searched <= skimmedBytesMin) return false
    const bytes = screen.skim(this.#peek(until))
    this.#fedTo += bytes
    this.#gathering.skimmed(bytes)
    this.#pace.skimmed(bytes, searched)
    if (bytes === 0) return false
    if (until === log.end) return this.#gathers(0)
    this.#queueUp(screen)
    return true
  }

  /** The log will not grow any more. */
  ended(): void {
    this.#gathering.ended()
  }

  resize(resize: Resize): void {
    if (this.#sizes.length > 1 && this.#sizes.at(-1)?.offset === resize.offset) this.#sizes.pop()
    this.#sizes.push(resize)
    // A screen takes each size when it comes to its offset.
    if (this.#sizes.length > sizesMax) this.ensure()
    if (this.#screen === null) return
    if (this.#fedTo <= this.#screen.parsedTo) this.#applySizes()
  }

  /** The screen once it shows everything before `offset`, or unfinished when that takes too long. */
  at(offset: Offset): Promise<Screen> {
    this.ensure()
    return new Promise((resolve) => {
      const call = () => {
        if (this.#screen !== null) resolve(this.#screen)
      }
      if (this.#screen !== null && this.#screen.parsedTo >= offset) return call()
      this.#waits.add(offset, call)
      this.feed()
    })
  }

  /** Discards the screen because the log has a hole, so its content no longer follows from the log. */
  restart(): void {
    if (this.#screen === null) return
    this.#discard()
    this.#make()
  }

  /** Callers that wait for the screen still get it: what has arrived is drawn, and then the screen is released. */
  dispose(): void {
    this.#isOver = true
    // A caller that was given the screen just now reads it first.
    longTurns.wait(() => this.#letGo())
  }

  #letGo(): void {
    if (this.#isOver && this.#waits.areNone) this.#discard()
  }

  #discard(): void {
    this.#gathering.stop()
    this.#screen?.dispose()
    this.#screen = null
    this.#backlog = null
    this.#isFeeding = false
    this.#isLive = false
  }

  /** Called by the emulator, which continues with the bytes it is fed meanwhile, for at most one turn. */
  #parsed(screen: Screen): void {
    const isOver = this.#pace.sliced(this.#options.clock.now())
    this.#isFeeding = false
    this.#applySizes()
    if (isOver && this.#hasMore) this.#queueUp(screen)
    else this.#feedNext(screen)
    this.#progressed()
  }

  get #hasMore(): boolean {
    return this.#screen !== null && this.#fedTo < this.#options.log.end
  }

  /** Other sessions that have much to draw get a turn first, and input that has come is read. */
  #queueUp(screen: Screen): void {
    this.#isFeeding = true
    longTurns.wait(() => {
      if (this.#screen !== screen) return
      this.#isFeeding = false
      this.#takeTurn(screen)
      this.#progressed()
    })
  }

  #takeTurn(screen: Screen): void {
    const { clock } = this.#options
    const until = clock.now() + parseTurnMs
    this.#pace.begin(clock.now())
    for (;;) {
      const bytes = this.#nextSlice(screen)
      if (bytes === null) return
      if (!screen.play(bytes)) {
        screen.feed(bytes, () => this.#parsed(screen))
        return
      }
      this.#isFeeding = false
      this.#pace.sliced(clock.now())
      this.#applySizes()
      if (clock.now() < until) continue
      if (this.#hasMore) this.#queueUp(screen)
      return
    }
  }

  /** Calls those that waited for what the screen shows now. */
  #progressed(): void {
    this.#waits.parsed(this.#screen?.parsedTo ?? 0)
    this.#options.onParsed()
  }

  /** The next bytes for the screen. */
  #take(until: Offset): Uint8Array {
    if (this.#backlog === null) return this.#options.log.read({ since: this.#fedTo, until }).bytes
    const { bytes, from } = this.#backlog
    return bytes.subarray(this.#fedTo - from, until - from)
  }

  /** The same bytes, valid until the next call. */
  #peek(until: Offset): Uint8Array {
    if (this.#backlog !== null) return this.#take(until)
    peekBuffer ??= new Uint8Array(skimBytesMax)
    return this.#options.log.readInto(peekBuffer, this.#fedTo, until)
  }

  /** Slices end where the size changes and where answering begins. */
  #nextBorder(until: Offset): Offset {
    const borders = this.#sizes.slice(1).map(({ offset }) => offset)
    return [...borders, this.#answerFrom].filter((at) => at > this.#fedTo).reduce((a, b) => Math.min(a, b), until)
  }

  #applySizes(): void {
    const screen = this.#screen
    if (screen === null) return
    while (this.#sizes.length > 1 && (this.#sizes[1]?.offset ?? 0) <= screen.parsedTo) {
      this.#sizes.shift()
      screen.resize(this.#sizes[0] ?? screen.size)
    }
  }
}
