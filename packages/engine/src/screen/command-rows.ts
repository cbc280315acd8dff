/** The rows at which the prompts of commands stand, as the emulator moves them: the newest ones. */

import { commandsMax } from '@agentpty/protocol'
import type { IMarker } from '@xterm/headless'
import type { Terminal } from './terminal.ts'

export class CommandRows {
  readonly #terminal: Terminal
  /** Of the prompt at which no command has begun. */
  #prompt: IMarker | null = null
  #begun: IMarker[] = []

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    const { parser } = terminal
    for (const number of [133, 633]) parser.registerOscHandler(number, (data) => this.#mark(data))
    // A reset leaves the markers of the buffer that it throws away as they were.
    parser.registerEscHandler({ final: 'c' }, () => this.#forget())
  }

  /** The oldest first, counted from the oldest row that is kept; null for those whose row is gone. */
  get rows(): readonly (number | null)[] {
    return this.#begun.map(rowOf)
  }

  /** Of the prompt at which no command has begun; null where there is none. */
  get prompt(): number | null {
    return this.#prompt === null ? null : rowOf(this.#prompt)
  }

  #mark(data: string): boolean {
    const [letter] = data.split(';', 1)
    if (letter === 'A') {
      this.#prompt?.dispose()
      this.#prompt = this.#terminal.registerMarker(0) ?? null
    }
    if (letter === 'C') this.#begin()
    return false
  }

  #begin(): void {
    const marker = this.#prompt ?? this.#terminal.registerMarker(0)
    this.#prompt = null
    if (marker === undefined) return
    this.#begun.push(marker)
    if (this.#begun.length > commandsMax + 1) this.#begun.shift()?.dispose()
  }

  #forget(): boolean {
    for (const marker of [...this.#begun, ...(this.#prompt === null ? [] : [this.#prompt])]) marker.dispose()
    this.#begun = []
    this.#prompt = null
    return false
  }
}

const rowOf = ({ line, isDisposed }: IMarker): number | null => (isDisposed || line < 0 ? null : line)
