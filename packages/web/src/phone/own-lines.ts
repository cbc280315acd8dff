/** The lines that were typed on this page, to be typed again. They are in memory alone, and no secret is among them. */

const linesMax = 50

export class OwnLines {
  #lines: readonly string[] = []
  /** From the end; 0 is the line that is being written. */
  #back = 0
  #unsent = ''

  /** The newest first. */
  get newest(): readonly string[] {
    return this.#lines.toReversed()
  }

  add(line: string): void {
    this.#back = 0
    if (line.trim() === '') return
    this.#lines = [...this.#lines.filter((one) => one !== line), line].slice(-linesMax)
  }

  /** An earlier line (1), or a later one (-1); null where there is none. `now`: what stands in the field. */
  step(by: 1 | -1, now: string): string | null {
    const to = this.#back + by
    if (to < 0 || to > this.#lines.length) return null
    if (this.#back === 0) this.#unsent = now
    this.#back = to
    return to === 0 ? this.#unsent : (this.#lines.at(-to) ?? null)
  }
}

/** What has come into a field since, where something has; a keyboard on the screen may change more than one letter. */
export function insertedInto(before: string, after: string): string {
  if (after.length <= before.length) return ''
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  return after.slice(from, from + after.length - before.length)
}
