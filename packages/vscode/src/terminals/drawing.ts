/** Converts a stream of the daemon into text that the editor's emulator draws. */

import { atOnce, goTo, Window } from '@agentpty/cli'
import type { Size } from '@agentpty/protocol'
import type { Frame } from '@agentpty/protocol/session'
import { WithoutQuestions } from './without-questions.ts'

/** Draws output as it arrives: a character split between pieces waits for its rest. */
export class OutputDrawing {
  readonly #questions = new WithoutQuestions()
  readonly #decoder = new TextDecoder()

  draw(bytes: Uint8Array): string {
    return this.#decoder.decode(this.#questions.take(bytes), { stream: true })
  }
}

/** Draws the part of a large screen around the cursor. Rows that have scrolled off above it go to the tab's scrollback. */
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

/** Scrolls rows into the tab's scrollback and leaves its screen empty. */
function pushed(above: readonly string[], { rows }: Size): string {
  const empty = Array.from({ length: rows }, (_, row) => `${goTo(row, 0)}\x1b[0m\x1b[2K`).join('')
  const written = above.map((text) => `${text}\x1b[0m\r\n`).join('')
  // Rows that are still visible are scrolled up, too.
  return `${empty}${goTo(0, 0)}${written}${goTo(rows - 1, 0)}${'\n'.repeat(Math.min(above.length, rows - 1))}`
}

export const fitsInto = (size: Size, tab: Size | null): boolean =>
  tab === null || (size.cols <= tab.cols && size.rows <= tab.rows)

export const isSameSize = (one: Size, other: Size | null): boolean =>
  one.cols === other?.cols && one.rows === other.rows
