/** Matches repeated readings of the scrollback, so that each line keeps its identity. */

export interface ScrolledRow {
  /** Constant for the lifetime of the row. */
  readonly id: number
  readonly text: string
}

/** The number of newest lines that are searched for in the next reading. */
const anchorLines = 40

/** Returns the current rows, with earlier rows keeping their ids. `rows`: all of them, oldest first. */
export function scrolledAfter(before: readonly ScrolledRow[], rows: readonly string[]): readonly ScrolledRow[] {
  const next = (before.at(-1)?.id ?? -1) + 1
  const fresh = newRows(before, rows)
  if (fresh === null) return rows.map((text, at) => ({ id: next + at, text }))
  if (fresh === 0 && before.length >= rows.length) return before.slice(before.length - rows.length)
  const added = rows.slice(rows.length - fresh).map((text, at) => ({ id: next + at, text }))
  return [...before, ...added].slice(-rows.length)
}

/** Returns the number of new rows; null if the earlier rows are not found. */
function newRows(before: readonly ScrolledRow[], rows: readonly string[]): number | null {
  if (before.length === 0) return null
  const known = before.slice(-anchorLines).map(({ text }) => text)
  for (let end = rows.length; end >= known.length; end--) {
    if (known.every((text, at) => rows[end - known.length + at] === text)) return rows.length - end
  }
  return null
}
