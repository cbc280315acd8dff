/** Output that was there when this engine found the session, with the times that the host has kept. */

import type { Clock, Millis, Offset } from '@agentpty/protocol'
import { Timeline } from '../log/timeline.ts'
import type { Mark } from '../marks/parse-osc.ts'
import type { SessionOptions } from './session-options.ts'

/** The timeline so far. Output whose time is not known has the time at which the session was opened. */
export function timelineOf({ sizes, start, history, info }: SessionOptions): Timeline {
  const [first = { cols: 80, rows: 24 }, ...resizes] = sizes
  if (history === null) return new Timeline(first)
  const { moments = [], end } = history
  const unknownTo = Math.min(moments[0]?.offset ?? end, end)
  const timeline = new Timeline(first, unknownTo)
  if (unknownTo > start) timeline.output(start, info.createdAt)
  const left = [...resizes]
  let before = info.createdAt
  const resizedTo = (offset: Offset) => left.splice(0, left.findLastIndex((resize) => resize.offset <= offset) + 1)
  for (const { offset, at } of moments) {
    for (const { cols, rows, ...resize } of resizedTo(offset))
      timeline.resized(resize.offset, resize.offset < offset ? before : at, { cols, rows })
    timeline.output(offset, at)
    before = at
  }
  for (const { offset, cols, rows } of left) timeline.resized(offset, before, { cols, rows })
  return timeline
}

interface Resting {
  readonly log: { readonly end: Offset }
  readonly program: { readonly lastInputAt: Millis }
}

/** Output from before this engine, as a session uses it. Without any, `end` is 0. */
export class SessionHistory {
  readonly #clock: Clock
  readonly #timeline: Timeline
  readonly #exitedAt: number | null
  readonly end: Offset
  readonly exited: boolean

  constructor({ clock, history }: Pick<SessionOptions, 'clock' | 'history'>, timeline: Timeline) {
    const { end, exited, exitedAt } = history ?? { end: 0, exited: false }
    this.#clock = clock
    this.#timeline = timeline
    this.#exitedAt = exitedAt ?? null
    this.end = end
    this.exited = exited
  }

  /** The clock's time at which the byte at an offset came; the present for output that comes now or whose time is unknown. */
  arrivalOf(offset: Offset): Millis {
    if (offset >= this.end || offset < this.#timeline.unknownTo) return this.#clock.now()
    return this.#pastTime(this.#timeline.timesOf([offset])[0] ?? null)
  }

  /** The clock's time of the last output from before this engine; null without any, and once output or input has come. */
  restsSince({ log, program }: Resting): Millis | null {
    const isSame = this.end > 0 && log.end === this.end && program.lastInputAt === 0
    return isSame ? this.arrivalOf(this.end - 1) : null
  }

  /** The clock's time at which the program ended; the present where it ends now. */
  get exitTime(): Millis {
    return this.#pastTime(this.#exitedAt)
  }

  #pastTime(wall: number | null): Millis {
    const now = this.#clock.now()
    return wall === null ? now : now - Math.max(0, this.#clock.wall() - wall)
  }
}

/** Changes between the normal and the alternate screen that are remembered. */
const screenChangesMax = 256

/** The modes of a terminal that matter to those who type into it, kept from marks alone: no screen is needed. */
export class TerminalModes {
  #alternateScreen = false
  #bracketedPaste = false
  #applicationCursorKeys = false
  #cursorHidden = false
  #title = ''
  readonly #screenChanges: { readonly end: Offset; readonly on: boolean }[] = []

  get alternateScreen(): boolean {
    return this.#alternateScreen
  }

  get bracketedPaste(): boolean {
    return this.#bracketedPaste
  }

  get applicationCursorKeys(): boolean {
    return this.#applicationCursorKeys
  }

  /** Programs that draw everything themselves hide the cursor; then its position means nothing. */
  get cursorHidden(): boolean {
    return this.#cursorHidden
  }

  get title(): string {
    return this.#title
  }

  /** Whether the alternate screen was on when the byte at `offset` came. */
  alternateScreenAt(offset: Offset): boolean {
    return this.#screenChanges.findLast((change) => change.end <= offset)?.on ?? false
  }

  /** Returns the offset at which the screen in force at `offset` was switched to; 0 when it never was. */
  screenSince(offset: Offset): Offset {
    return this.#screenChanges.findLast((change) => change.end <= offset)?.end ?? 0
  }

  /** Returns the offset at which the screen in force at `offset` was left; null while it is in force. */
  screenUntil(offset: Offset): Offset | null {
    return this.#screenChanges.find((change) => change.end > offset)?.end ?? null
  }

  apply(mark: Mark): void {
    if (mark.kind === 'alternate-screen') this.#changeScreen(mark.end, mark.on)
    else if (mark.kind === 'bracketed-paste') this.#bracketedPaste = mark.on
    else if (mark.kind === 'application-cursor') this.#applicationCursorKeys = mark.on
    else if (mark.kind === 'cursor-visible') this.#cursorHidden = !mark.on
    else if (mark.kind === 'title') this.#title = mark.title
    else if (mark.kind === 'reset') this.#reset(mark.end)
  }

  #reset(end: Offset): void {
    this.#bracketedPaste = false
    this.#applicationCursorKeys = false
    this.#cursorHidden = false
    if (this.#alternateScreen) this.#changeScreen(end, false)
  }

  #changeScreen(end: Offset, on: boolean): void {
    this.#alternateScreen = on
    this.#screenChanges.push({ end, on })
    if (this.#screenChanges.length > screenChangesMax) this.#screenChanges.shift()
  }
}
