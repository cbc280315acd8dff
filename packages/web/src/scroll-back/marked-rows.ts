/** Marks in styled rows: the matches of a search, and the line to which the person was led. */

import { textOf } from './find-seam.ts'

/** The fields of `read` that say what is sought. */
export interface SoughtText {
  readonly find: string
  readonly ignoreCase: boolean
}

/** The row, and the first and last index (exclusive) in its text. */
export type RowMatch = readonly [row: number, from: number, to: number]

/** Black on grey. The zeros tell it from the colours of programs. */
const matchStyle = '\x1b[000;38;2;0;0;0;48;2;176;184;200m'
/** Black on amber and underlined: it stands out without colours, too. */
const currentStyle = '\x1b[000;1;4;38;2;0;0;0;48;2;255;205;80m'
/** For a line without a visible match. */
const lineStyle = '\x1b[0;38;2;0;0;0;48;2;255;205;80m'

const part = /(\x1b\[[\d;:]*m)|[^\x1b]+|\x1b/g

export function marked(rows: readonly string[], matches: readonly RowMatch[] = []): readonly string[] {
  if (matches.length === 0) return rows
  const byRow = new Map<number, RowMatch[]>()
  for (const match of matches) byRow.set(match[0], [...(byRow.get(match[0]) ?? []), match])
  return rows.map((row, at) => {
    const found = byRow.get(at)
    return found === undefined ? row : markedRow(row, found)
  })
}

/** The row's own styles stay in it, so that {@link unmarked} leaves it as it was. */
function markedRow(row: string, matches: readonly RowMatch[]): string {
  let styles = ''
  let index = 0
  let drawn = ''
  let isInside = false
  const spans = matches.values()
  let span = spans.next().value
  for (const [whole, style] of row.matchAll(part)) {
    if (style !== undefined) {
      styles += style
      drawn += isInside ? `${style}${matchStyle}` : style
      continue
    }
    for (const char of whole.split('')) {
      if (span !== undefined && index === span[2]) {
        drawn += `\x1b[0m${styles}`
        isInside = false
        span = spans.next().value
      }
      if (span !== undefined && index === span[1]) {
        drawn += matchStyle
        isInside = true
      }
      drawn += char
      index += 1
    }
  }
  return isInside ? `${drawn}\x1b[0m` : drawn
}

export const unmarked = (row: string): string => row.replaceAll(matchStyle, '')

/** The rows with those of one line as the current one: its matches, or all of it if it shows none. */
export function currentLine(rows: readonly string[], isOfLine: (row: number) => boolean): readonly string[] {
  const hasMatch = rows.some((row, at) => isOfLine(at) && row.includes(matchStyle))
  return rows.map((row, at) => {
    if (!isOfLine(at)) return row
    return hasMatch ? row.replaceAll(matchStyle, currentStyle) : `${lineStyle}${textOf(row)}`
  })
}
