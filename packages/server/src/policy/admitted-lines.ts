/** Lines that were judged and allowed, and are not typed yet. The oldest are removed, and judged again before Enter. */

import type { EnteredLine } from '@agentpty/shell-policy'
import { isReadByShell, type ShellReading } from './shell-reading.ts'

export interface AdmittedLine extends EnteredLine {
  /** See `judgeWrite`. */
  readonly isConfirmed: boolean
}

const admittedMax = 1_000

export class AdmittedLines {
  #lines: AdmittedLine[] = []

  add(lines: readonly AdmittedLine[]): void {
    this.#lines.push(...lines)
    if (this.#lines.length > admittedMax) this.#lines = this.#lines.slice(-admittedMax)
  }

  find(text: string): AdmittedLine | undefined {
    return this.#lines.find((line) => line.text === text)
  }

  /** One of the lines was allowed only because the shell reports how it reads it. */
  needsReport(texts: readonly string[], reading: ShellReading): boolean {
    const lines = texts.map((text) => this.find(text))
    return lines.some((line) => line?.isConfirmed === true && isReadByShell(line, reading))
  }

  /** Returns the line and removes it with the lines before it; null when it was not admitted. */
  take(text: string): AdmittedLine | null {
    const at = this.#lines.findIndex((line) => line.text === text)
    return at < 0 ? null : (this.#lines.splice(0, at + 1)[at] ?? null)
  }
}
