/** The rows of a terminal that have passed above a window onto it, each once: what the scrollback of the window is made of. */

import type { IMarker } from '@xterm/headless'
import { writeRuns } from './screen-ansi.ts'
import { styledRuns, type Terminal } from './terminal.ts'

export class PassedRows {
  readonly #terminal: Terminal
  /** The first row that has not passed; null where it is not known, which is so when many have passed at once. */
  #next: IMarker | null = null

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** `top`: where the window begins in the viewport now. The newest ones, oldest first; none of an alternate screen. */
  take({ top, cols, most }: { readonly top: number; readonly cols: number; readonly most: number }): readonly string[] {
    const { active } = this.#terminal.buffer
    if (active.type === 'alternate') return []
    const until = active.baseY + top
    const known = this.#known(active.baseY + this.#terminal.rows, until)
    if (known > until) return []
    this.#next?.dispose()
    this.#next = this.#terminal.registerMarker(until - active.baseY - active.cursorY) ?? null
    const first = Math.max(known, until - most)
    return Array.from({ length: until - first }, (_, row) => {
      const line = active.getLine(first + row)
      return line === undefined ? '' : writeRuns(styledRuns(line, 0, cols))
    })
  }

  /** A reset leaves the markers of the buffer that it throws away as they were. */
  #known(rowCount: number, until: number): number {
    if (this.#next === null || this.#next.isDisposed || this.#next.line < 0) return 0
    return this.#next.line > rowCount ? until : this.#next.line
  }

  dispose(): void {
    this.#next?.dispose()
  }
}
