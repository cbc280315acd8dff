/** The moments of a recording that are worth a picture. Long rests are shortened, and no two pictures are closer than the eye can distinguish. */

import type { Millis, Size } from '@agentpty/protocol'
import { type Cast, type CastScreen, sizeOf } from '@agentpty/protocol/recording'
import type { CellPicture } from '../screen/cell-picture.ts'
import { Screen } from '../screen/screen.ts'

interface FrameTime {
  /** The time in the recording whose screen is shown. */
  readonly at: Millis
  /** The time at which it is shown, from the beginning. */
  readonly shownAt: Millis
}

export interface FrameOptions {
  readonly speed: number
  readonly idleMs: Millis
  readonly gapMs: Millis
  readonly framesMax: number
}

/** A recording that would have more pictures than it may has fewer in a second. */
export function frameTimes(cast: Cast, { speed, idleMs, gapMs, framesMax }: FrameOptions): readonly FrameTime[] {
  const moments = playedTimes(cast, { speed, idleMs })
  for (let gap = gapMs; ; gap *= 1.5) {
    const frames = atMostEvery(moments, gap)
    if (frames.length <= framesMax) return frames
  }
}

/** Returns when each event that changes the picture is shown. */
export function playedTimes(
  { events }: Cast,
  { speed, idleMs }: { readonly speed: number; readonly idleMs: Millis },
): readonly FrameTime[] {
  const times: FrameTime[] = [{ at: 0, shownAt: 0 }]
  let last = 0
  let shownAt = 0
  for (const { at, code } of events) {
    shownAt += Math.min(at - last, idleMs) / speed
    last = at
    if (code === 'o' || code === 'r') times.push({ at, shownAt })
  }
  return times
}

/** Keeps one of the frames within each gap: the last one, shown at the time of the first. */
function atMostEvery(times: readonly FrameTime[], gap: Millis): readonly FrameTime[] {
  const frames: FrameTime[] = []
  for (const time of times) {
    const last = frames.at(-1)
    if (last !== undefined && time.shownAt - last.shownAt < gap) frames[frames.length - 1] = { ...last, at: time.at }
    else frames.push(time)
  }
  return frames
}

/** The output fed in one piece: other work runs between two pieces. */
const pieceCharacters = 64 * 1_024

export class ScreenOfCast implements CastScreen {
  readonly #cast: Cast
  #screen: Screen
  /** The next event that is not drawn. */
  #next = 0
  #shownAt: Millis = -1

  constructor(cast: Cast) {
    this.#cast = cast
    this.#screen = openScreen(cast)
  }

  get size(): Size {
    return this.#screen.size
  }

  async showAt(at: Millis): Promise<void> {
    if (at < this.#shownAt) this.#restart()
    this.#shownAt = at
    const { events } = this.#cast
    let text = ''
    for (let event = events[this.#next]; event !== undefined && event.at <= at; event = events[this.#next]) {
      this.#next += 1
      if (event.code === 'o') text += event.data
      if (event.code === 'r') {
        await this.#feed(text)
        text = ''
        this.#resize(event.data)
      }
      if (text.length < pieceCharacters) continue
      await this.#feed(text)
      text = ''
    }
    await this.#feed(text)
  }

  rows({ rows, cols }: Size): ReturnType<CastScreen['rows']> {
    const { cursor } = this.#screen.snapshot()
    const isInside = cursor.visible && cursor.row < rows && cursor.col < cols
    return {
      rows: this.#screen.drawWindow({ top: 0, left: 0, rows, cols }),
      cursor: isInside ? { row: cursor.row, col: cursor.col } : null,
    }
  }

  cells(): CellPicture {
    return this.#screen.cells(0)
  }

  close(): void {
    this.#screen.dispose()
  }

  #resize(data: string): void {
    const size = sizeOf(data)
    if (size !== null) this.#screen.resize(size)
  }

  #feed(text: string): Promise<void> {
    if (text === '') return Promise.resolve()
    return new Promise((parsed) => this.#screen.feed(Buffer.from(text), parsed))
  }

  #restart(): void {
    this.#screen.dispose()
    this.#screen = openScreen(this.#cast)
    this.#next = 0
  }
}

function openScreen({ cols, rows }: Size): Screen {
  const size = { cols: Math.max(2, cols), rows }
  return new Screen({ ...size, scrollbackRows: 0, offset: 0, version: '', onReply: () => {} })
}
