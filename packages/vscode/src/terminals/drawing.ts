/** What a stream of the daemon says, as text that the emulator of the editor draws. */

import { atOnce, goTo, Window } from '@agentpty/cli'
import type { Size } from '@agentpty/protocol'
import type { Frame } from '@agentpty/protocol/session'
import { WithoutQuestions } from './without-questions.ts'

/** Output as it comes: characters that were cut wait for their rest. */
export class OutputDrawing {
  readonly #questions = new WithoutQuestions()
  readonly #decoder = new TextDecoder()

  draw(bytes: Uint8Array): string {
    return this.#decoder.decode(this.#questions.take(bytes), { stream: true })
  }
}

/** A part of a screen that is larger than its tab: the part where the cursor is. What has passed above it is the scrollback of the tab. */
export class FrameDrawing {
  readonly #window: Window
  readonly #tab: Size
  #isFirst = true

  constructor(tab: Size) {
    this.#tab = tab
    this.#window = new Window({ top: 0, left: 0, ...tab })
  }

  draw(frame: Frame): string {
    const { above = [] } = frame
    const reset = this.#isFirst ? '\x1bc' : ''
    this.#isFirst = false
    const drawn = this.#window.draw(frame)
    const rows = above.length === 0 ? drawn : `${pushed(above, this.#tab)}${this.#window.redraw()}`
    return `${reset}${atOnce(`${rows}${this.#window.drawCursor()}`)}${this.#window.takeModes()}`
  }
}

/** Rows that the tab scrolls into its scrollback; nothing is left on its screen. */
function pushed(above: readonly string[], { rows }: Size): string {
  const empty = Array.from({ length: rows }, (_, row) => `${goTo(row, 0)}\x1b[0m\x1b[2K`).join('')
  const written = above.map((text) => `${text}\x1b[0m\r\n`).join('')
  // Those that are still to be seen go up, too.
  return `${empty}${goTo(0, 0)}${written}${goTo(rows - 1, 0)}${'\n'.repeat(Math.min(above.length, rows - 1))}`
}

export const fitsInto = (size: Size, tab: Size | null): boolean =>
  tab === null || (size.cols <= tab.cols && size.rows <= tab.rows)

export const isSameSize = (one: Size, other: Size | null): boolean =>
  one.cols === other?.cols && one.rows === other.rows
