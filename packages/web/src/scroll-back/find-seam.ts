/**
 * Finds where the rows of an emulator begin in the rows that were read from the daemon. The emulator knows no offsets, so the rows are compared
 * by their text. Returns null if they are not found: a program may have drawn over them or erased them.
 */
export function findSeam(rows: readonly string[], drawn: readonly string[], expected: number): number | null {
  const sought = drawn.map((row) => row.trimEnd())
  if (sought.length === 0 || sought.every((row) => row === '')) return null
  const isAt = (at: number) => sought.every((row, index) => textOf(rows[at + index] ?? '').trimEnd() === row)
  // Lines may repeat: the match that is nearest to the expected row is the most likely one.
  for (let distance = 0; distance <= rows.length; distance++) {
    if (expected - distance >= 0 && isAt(expected - distance)) return expected - distance
    if (distance > 0 && expected + distance < rows.length && isAt(expected + distance)) return expected + distance
  }
  return null
}

const style = /\x1b\[[\d;:]*m/g

export const textOf = (row: string): string => row.replaceAll(style, '')
