/** Rows of cells as columns for people. */

/** Columns are as wide as their widest cell, two blanks apart. An empty column takes no space, and rows have no trailing blanks. */
export function table(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row.flatMap((cell, column) => (widths[column] === 0 ? [] : [cell.padEnd(widths[column] ?? 0)])).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

/** In one line, and cut where it is too long. */
export function cell(text: string, widthMax: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return line.length > widthMax ? `${line.slice(0, widthMax - 1)}…` : line
}
