/** Rows that have gone out at the top of a screen, as they are asked for again and again: what was there stays the same line. */

export interface ScrolledRow {
  /** The same for as long as it is kept. */
  readonly id: number
  readonly text: string
}

/** So many of the newest lines are looked for in what is there later. */
const knownLines = 40

/** What there is now, with the lines of before where they were. `rows`: all, the oldest first. */
export function scrolledAfter(before: readonly ScrolledRow[], rows: readonly string[]): readonly ScrolledRow[] {
  const next = (before.at(-1)?.id ?? -1) + 1
  const fresh = newRows(before, rows)
  if (fresh === null) return rows.map((text, at) => ({ id: next + at, text }))
  if (fresh === 0 && before.length >= rows.length) return before.slice(before.length - rows.length)
  const added = rows.slice(rows.length - fresh).map((text, at) => ({ id: next + at, text }))
  return [...before, ...added].slice(-rows.length)
}

/** How many of the rows have come since; null where what was there is not found again. */
function newRows(before: readonly ScrolledRow[], rows: readonly string[]): number | null {
  if (before.length === 0) return null
  const known = before.slice(-knownLines).map(({ text }) => text)
  for (let end = rows.length; end >= known.length; end--) {
    if (known.every((text, at) => rows[end - known.length + at] === text)) return rows.length - end
  }
  return null
}
