/** What is read from a session's screen to judge its turn. Reading it makes a screen where there is none yet. */

import type { Offset } from '@agentpty/protocol'
import type { ScreenText } from '../agents/screen-signs.ts'
import type { Screen } from '../screen/screen.ts'

/** A screen that is made when it is first needed. */
export interface ScreenSource {
  ensure(): void
  /** The screen, if there is one with all of the log on it. */
  readonly upToDate: Screen | null
}

export class ScreenReader {
  readonly #screen: ScreenSource
  #last: { readonly end: Offset; readonly text: ScreenText } | null = null

  constructor(screen: ScreenSource) {
    this.#screen = screen
  }

  /** The text left of the cursor; null while not all of the log is drawn. */
  textBeforeCursor(): string | null {
    this.#screen.ensure()
    return this.#screen.upToDate?.textBeforeCursor() ?? null
  }

  /** The whole text at the log's end; while not all is drawn, the last one that was. Null when there was none. */
  text(end: Offset): ScreenText | null {
    this.#screen.ensure()
    const { upToDate } = this.#screen
    if (upToDate !== null && this.#last?.end !== end) {
      const { text, cursor } = upToDate.snapshot()
      this.#last = { end, text: { rows: text, cursorVisible: cursor.visible } }
    }
    return this.#last?.text ?? null
  }
}
