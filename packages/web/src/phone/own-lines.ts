/** The lines typed on this page, for reuse. They are stored in memory only and never contain secrets. */

const linesMax = 50

export class OwnLines {
  #lines: readonly string[] = []
  /** The position from the end; 0 is the line being written. */
  #back = 0
  #unsent = ''

  /** Newest first. */
  get newest(): readonly string[] {
    return this.#lines.toReversed()
  }

  add(line: string): void {
    this.#back = 0
    if (line.trim() === '') return
    this.#lines = [...this.#lines.filter((one) => one !== line), line].slice(-linesMax)
  }

  /** Returns an earlier line (1) or a later one (-1); null if there is none. `now`: the current text of the field. */
  step(by: 1 | -1, now: string): string | null {
    const to = this.#back + by
    if (to < 0 || to > this.#lines.length) return null
    if (this.#back === 0) this.#unsent = now
    this.#back = to
    return to === 0 ? this.#unsent : (this.#lines.at(-to) ?? null)
  }
}

/** Returns the text inserted into a field. An on-screen keyboard may insert several letters in one step. */
export function insertedInto(before: string, after: string): string {
  if (after.length <= before.length) return ''
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  return after.slice(from, from + after.length - before.length)
}
