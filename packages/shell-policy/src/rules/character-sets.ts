/** Sets of characters, as ranges of code units. */

/** From one to another, both included. */
export type Range = readonly [from: number, to: number]

export const last = 0xffff
const digits: readonly Range[] = [[48, 57]]
const wordCharacters: readonly Range[] = [...digits, [65, 90], [95, 95], [97, 122]]
const blanks: readonly Range[] = [
  ...([
    [9, 13],
    [32, 32],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
]
export const lineEnds: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]
export const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  w: wordCharacters,
  s: blanks,
  D: complement(digits),
  W: complement(wordCharacters),
  S: complement(blanks),
}
export const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

export const exactly = (code: number): readonly Range[] => [[code, code]]

export function complement(ranges: readonly Range[]): readonly Range[] {
  const left: Range[] = []
  let from = 0
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (start > from) left.push([from, start - 1])
    from = Math.max(from, end + 1)
  }
  return from > last ? left : [...left, [from, last]]
}

/** Latin letters in ranges, and every letter that stands alone. */
export function inBothCases(ranges: readonly Range[]): readonly Range[] {
  return ranges.flatMap(([from, to]): readonly Range[] => {
    if (from === to) {
      const letter = String.fromCharCode(from)
      const both = [letter, letter.toLowerCase(), letter.toUpperCase()].filter((one) => one.length === 1)
      return both.map((one): Range => [one.charCodeAt(0), one.charCodeAt(0)])
    }
    const small: Range = [Math.max(from, 97), Math.min(to, 122)]
    const large: Range = [Math.max(from, 65), Math.min(to, 90)]
    return [
      [from, to],
      ...(small[0] <= small[1] ? [[small[0] - 32, small[1] - 32] as const] : []),
      ...(large[0] <= large[1] ? [[large[0] + 32, large[1] + 32] as const] : []),
    ]
  })
}
