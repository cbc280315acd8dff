/**
 * Lines that were found, with the lines around them, as far as there is room; fed piece by piece from the first line
 * on.
 */

import type { Offset } from '@agentpty/protocol'

export interface Line {
  readonly text: string
  readonly offset: Offset
}

const shownCharactersMax = 500

export class FoundGroups {
  readonly #contextLines: number
  #room: number
  readonly #output: string[] = []
  /** The last lines that were not shown, in case the next line is found. */
  #before: string[] = []
  /** How many lines after the last one found are still to be shown. */
  #after = 0
  /** Lines have been left out since the last one shown. */
  #isGap = false
  #matches = 0

  constructor(options: { readonly contextLines: number; readonly maxBytes: number }) {
    this.#contextLines = options.contextLines
    this.#room = options.maxBytes
  }

  /** Counts lines even when there was no room to show them. */
  get matches(): number {
    return this.#matches
  }

  add(lines: readonly Line[], hits: readonly number[]): void {
    this.#matches += hits.length
    if (this.#room <= 0) return
    const found = new Set(hits)
    for (const [at, line] of lines.entries()) {
      if (found.has(at)) this.#show([...this.#takeBefore(), shownLine(line)], this.#contextLines)
      else if (this.#after > 0) this.#show([shownLine(line)], this.#after - 1)
      else this.#keep(line)
      if (this.#room <= 0) return
    }
  }

  text(): string {
    return this.#output.join('\n')
  }

  #takeBefore(): readonly string[] {
    const before = this.#before
    this.#before = []
    return this.#isGap && this.#contextLines > 0 ? ['--', ...before] : before
  }

  #show(lines: readonly string[], after: number): void {
    const bytes = Buffer.byteLength(lines.join('\n')) + 1
    // The first line that does not fit is the last: a shorter one after it would look like the next one.
    this.#room = bytes > this.#room ? 0 : this.#room - bytes
    if (this.#room <= 0) return
    this.#output.push(...lines)
    this.#after = after
    this.#isGap = false
  }

  #keep(line: Line): void {
    if (this.#contextLines > 0) this.#before.push(shownLine(line))
    if (this.#before.length <= this.#contextLines) return
    this.#before.shift()
    this.#isGap = this.#output.length > 0
  }
}

function shownLine({ text, offset }: Line): string {
  return `${offset}: ${text.slice(0, shownCharactersMax)}`
}
