/** A line that says what is waited for, written over until it is cleared: for a person alone, not in a pipe and not beside JSON. */

import type { CommandCall, Terminal } from './command.ts'

export class ProgressLine {
  readonly #terminal: Terminal | null
  readonly #complain: (text: string) => void
  #shown = ''

  constructor({ options: { terminal, complain }, json }: Pick<CommandCall, 'options' | 'json'>) {
    this.#terminal = json ? null : terminal
    this.#complain = complain
  }

  show(text: string): void {
    if (this.#terminal === null) return
    // A longer one would take two rows, and only one of them can be written over.
    const line = text.slice(0, Math.max(0, this.#terminal.size().cols - 1))
    if (line !== this.#shown) this.#complain(`\r\x1b[K${line}`)
    this.#shown = line
  }

  clear(): void {
    if (this.#shown !== '') this.#complain('\r\x1b[K')
    this.#shown = ''
  }
}
