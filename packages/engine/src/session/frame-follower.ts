/**
 * A follower that watches a session's screen through a window of its own size. Each frame holds what changed since the
 * one before; a slow follower misses frames, never what they show. Where the screen is larger than the window, the
 * window follows the cursor.
 */

import type { Clock, Exit, Millis, Offset, Size } from '@agentpty/protocol'
import { type Frame, type FrameWindow, frameRowsAboveMax, type SessionEvent } from '@agentpty/protocol/session'
import type { PassedRows } from '../screen/command-rows.ts'
import type { ShownLinks } from '../screen/links.ts'
import type { Screen } from '../screen/screen.ts'
import type { FollowerNews, TurnEvent } from './session-follower.ts'

export interface Watched {
  readonly parsedTo: Offset
  readonly size: Size
  readonly exit: Exit | null
  screen(): Promise<Screen>
}

/** A program that redraws all the time is shown about sixty times a second. */
const frameMs: Millis = 16

interface FrameFollowerParts {
  readonly window: FrameWindow
  /** Hides secrets in a text. */
  readonly hideIn: (text: string) => string
  readonly news: FollowerNews
}

export class FrameFollower {
  readonly #clock: Clock
  readonly #watched: Watched
  readonly #window: FrameWindow
  readonly #news: FollowerNews
  readonly #links: ShownLinks | null
  /** Only the newest verdict is of interest. */
  #turn: TurnEvent | null = null
  #shown: { readonly frame: Frame; readonly lines: readonly string[] } | null = null
  #passed: { readonly of: Screen; readonly rows: PassedRows } | null = null
  #shownAt: Millis = Number.NEGATIVE_INFINITY
  #isOver = false
  #wake: () => void = () => {}

  constructor(clock: Clock, watched: Watched, { window, hideIn, news }: FrameFollowerParts) {
    this.#links = window.links === true ? { hide: hideIn } : null
    this.#clock = clock
    this.#watched = watched
    this.#window = window
    this.#news = news
  }

  /** It is for reading, not for typing. */
  get isPinned(): boolean {
    return this.#window.isPinned === true
  }

  recheck(): void {
    this.#wake()
  }

  turn(event: TurnEvent): void {
    this.#turn = event
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#passed?.rows.dispose()
    this.#wake()
  }

  async *events(): AsyncGenerator<SessionEvent> {
    while (!this.#isOver) {
      const turn = this.#turn
      this.#turn = null
      if (turn !== null) yield turn
      const news = this.#news.next()
      if (news !== null) yield news
      const { exit } = this.#watched
      const frame = this.#mayHaveChanged() ? await this.#next() : null
      if (frame !== null) yield { type: 'frame', ...frame }
      if (exit !== null && !this.#mayHaveChanged()) {
        yield { type: 'exit', exit }
        return
      }
      await this.#pause()
    }
  }

  #mayHaveChanged(): boolean {
    const { parsedTo, size } = this.#watched
    const shown = this.#shown?.frame
    return shown?.at !== parsedTo || shown.size.cols !== size.cols || shown.size.rows !== size.rows
  }

  /** Waits until there may be something new and the next frame is due. */
  async #pause(): Promise<void> {
    const hasNews = () => this.#turn !== null || this.#news.isDue || this.#mayHaveChanged()
    if (!this.#isOver && !hasNews() && this.#watched.exit === null)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    const dueAt = this.#shownAt + frameMs
    if (this.#isOver || this.#turn !== null || this.#news.isDue || this.#clock.now() >= dueAt) return
    await new Promise<void>((resolve) => this.#clock.callAt(dueAt, resolve))
  }

  /** Null when nothing that can be seen has changed. */
  async #next(): Promise<Frame | null> {
    const screen = await this.#watched.screen()
    this.#shownAt = this.#clock.now()
    const { offset, cols, rows, cursor, title, alternateScreen } = screen.snapshot()
    const size = { cols, rows }
    const before = this.#shown
    const origin = this.#origin(size, cursor)
    const { cols: width, rows: height } = this.#window
    const lines = screen.drawWindow({ ...origin, cols: width, rows: height }, this.#links)
    const isInside = cursor.visible && cursor.col - origin.left < width
    const isWhole = before === null || !isSamePosition(before.frame, { size, ...origin })
    const changed = lines.flatMap((text, row): readonly (readonly [number, string])[] =>
      text === (isWhole ? '' : before.lines[row]) ? [] : [[row, text]],
    )
    const above = this.#window.above === true ? this.#above(screen, origin.top) : null
    const frame: Frame = {
      at: offset,
      size,
      ...origin,
      isWhole,
      rows: changed,
      ...(above === null ? {} : { above }),
      cursor: isInside ? { row: cursor.row - origin.top, col: cursor.col - origin.left } : null,
      modes: screen.inputModes,
      ...(alternateScreen ? { isAlternate: true } : {}),
      title,
    }
    this.#shown = { frame, lines }
    const isNew = before === null || isWhole || changed.length > 0 || (above ?? []).length > 0
    return isNew || !isSameState(before.frame, frame) ? frame : null
  }

  #above(screen: Screen, top: number): readonly string[] {
    const isOther = this.#passed !== null && this.#passed.of !== screen
    if (this.#passed?.of !== screen) this.#passed = { of: screen, rows: screen.passedRows() }
    const rows = this.#passed.rows.take({ top, cols: this.#window.cols, most: frameRowsAboveMax, links: this.#links })
    // The emulator was made anew, and does not know which rows were sent.
    return isOther ? [] : rows
  }

  /** Returns the present position of the window: it moves only as far as the cursor requires. */
  #origin(size: Size, cursor: { readonly row: number; readonly col: number }): { top: number; left: number } {
    const { top = 0, left = 0 } = this.#shown?.frame ?? {}
    return {
      top: moved(top, cursor.row, this.#window.rows, size.rows),
      left: this.#window.isPinned ? 0 : moved(left, cursor.col, this.#window.cols, size.cols),
    }
  }
}

/** A window of `length` that began at `start`, so that it holds `at` and stays inside `whole`; at the start where it can. */
function moved(start: number, at: number, length: number, whole: number): number {
  const latest = Math.max(0, whole - length)
  if (at < length) return 0
  if (at < start) return Math.min(at, latest)
  return Math.min(Math.max(start, at - length + 1), latest)
}

type Position = Pick<Frame, 'size' | 'top' | 'left'>

function isSamePosition(a: Position, b: Position): boolean {
  return a.top === b.top && a.left === b.left && a.size.cols === b.size.cols && a.size.rows === b.size.rows
}

function isSameState(a: Frame, b: Frame): boolean {
  return (
    a.cursor?.row === b.cursor?.row &&
    a.cursor?.col === b.cursor?.col &&
    a.title === b.title &&
    a.isAlternate === b.isAlternate &&
    a.modes.join() === b.modes.join()
  )
}
