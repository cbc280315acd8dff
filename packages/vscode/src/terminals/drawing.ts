/** What a stream of the daemon says, as text that the emulator of the editor draws. */

import type { Frame } from '../../../agentpty/src/contracts/session/events.ts'
import type { Size } from '../../../agentpty/src/contracts/units.ts'
import { atOnce, Window } from '../../../agentpty/src/faces/cli/attach/window.ts'
import { WithoutQuestions } from './without-questions.ts'

/** Output as it comes: characters that were cut wait for their rest. */
export class OutputDrawing {
  readonly #questions = new WithoutQuestions()
  readonly #decoder = new TextDecoder()

  draw(bytes: Uint8Array): string {
    return this.#decoder.decode(this.#questions.take(bytes), { stream: true })
  }
}

/** A part of a screen that is larger than its tab: the part where the cursor is. */
export class FrameDrawing {
  readonly #window: Window

  constructor(tab: Size) {
    this.#window = new Window({ top: 0, left: 0, ...tab })
  }

  draw(frame: Frame): string {
    const reset = frame.isWhole ? '\x1bc' : ''
    const drawing = atOnce(`${this.#window.draw(frame)}${this.#window.drawCursor()}`)
    return `${reset}${drawing}${this.#window.takeModes()}`
  }
}

export const fitsInto = (size: Size, tab: Size | null): boolean =>
  tab === null || (size.cols <= tab.cols && size.rows <= tab.rows)

export const isSameSize = (one: Size, other: Size | null): boolean =>
  one.cols === other?.cols && one.rows === other.rows
