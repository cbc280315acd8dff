/** Which of several cells stands out: a pointer is before it, or its background is not that of the others. */

export interface Cell {
  /** Both count from 0. */
  readonly row: number
  readonly col: number
  readonly isPointed: boolean
}

/** Its index; null where none, or more than one, stands out. `styles` are those of a picture. */
export function highlightedOf(cells: readonly Cell[], styles: readonly string[]): number | null {
  const isAnyPointed = cells.some(({ isPointed }) => isPointed)
  if (isAnyPointed) return onlyOne(cells, ({ isPointed }) => isPointed)
  const grounds = cells.flatMap((cell) => around(cell).map(({ row, col }) => backgroundAt(styles[row], col)))
  const ground = mostCommon(grounds)
  return onlyOne(cells, ({ row, col }) => backgroundAt(styles[row], col) !== ground)
}

function onlyOne<Item>(items: readonly Item[], isIt: (item: Item) => boolean): number | null {
  const found = items.flatMap((item, index) => (isIt(item) ? [index] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The cell, those in the rows above and below it, and the row's first. */
function around({ row, col }: Cell): readonly { readonly row: number; readonly col: number }[] {
  return [-1, 0, 1].map((step) => ({ row: row + step, col }))
}

/** A look begins at its column and ends where the next begins: `3/background/foreground/flags;`. */
function backgroundAt(style: string | undefined, col: number): string {
  let background = ''
  for (const [, from, look] of (style ?? '').matchAll(/(\d+)(?:\/([^/;]*)[^;]*)?;/g)) {
    if (Number(from) > col) break
    background = look ?? ''
  }
  return background
}

function mostCommon(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}
