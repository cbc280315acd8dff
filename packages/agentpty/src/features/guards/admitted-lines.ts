/** Lines that were judged and allowed, and are not typed yet. The oldest are removed, and judged again before Enter. */

import type { EnteredLine } from '../policy/judge.ts'

const admittedMax = 1_000

export class AdmittedLines {
  #lines: EnteredLine[] = []

  add(lines: readonly EnteredLine[]): void {
    this.#lines.push(...lines)
    if (this.#lines.length > admittedMax) this.#lines = this.#lines.slice(-admittedMax)
  }

  find(text: string): EnteredLine | undefined {
    return this.#lines.find((line) => line.text === text)
  }

  /** Returns the line and removes it with the lines before it; null when it was not admitted. */
  take(text: string): EnteredLine | null {
    const at = this.#lines.findIndex((line) => line.text === text)
    return at < 0 ? null : (this.#lines.splice(0, at + 1)[at] ?? null)
  }
}
