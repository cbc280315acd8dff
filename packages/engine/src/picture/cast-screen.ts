/** The screen of a recording at any of its times. */

import type { Millis, Size } from '@agentpty/protocol'
import { type Cast, type CastScreen, sizeOf } from '@agentpty/protocol/recording'
import type { CellPicture } from '../screen/cell-picture.ts'
import { Screen } from '../screen/screen.ts'

/** Output fed at once: others have their turn between two pieces. */
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
