/** Parses a row of a frame into runs of one style. Supports only the escape sequences that the server writes. */

export interface Run {
  readonly text: string
  /** The first cell of the run, and its number of cells. */
  readonly col: number
  readonly width: number
  readonly style: Style
  /** The target of the hyperlink that it is a part of; null for none. */
  readonly link: string | null
}

/** A palette index, `#rrggbb`, or null for the default colour of the theme. */
export type Color = number | string | null

export interface Style {
  readonly foreground: Color
  readonly background: Color
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isInverse: boolean
  readonly isHidden: boolean
}

export const plain: Style = {
  foreground: null,
  background: null,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
  isHidden: false,
}

export function runsOf(row: string): readonly Run[] {
  const runs: Run[] = []
  let style = plain
  let col = 0
  let link: string | null = null
  for (const part of row.split(/(\x1b\[[\d;:]*m|\x1b\]8;;[^\x07]*\x07)/)) {
    if (part.startsWith('\x1b[')) style = styleOf(part.slice(2, -1))
    else if (part.startsWith('\x1b]')) link = part.slice(5, -1) || null
    else if (part !== '') {
      const width = widthOf(part)
      runs.push({ text: part, col, width, style, link })
      col += width
    }
  }
  return runs
}

/** Each sequence starts with 0, which resets the previous style. */
function styleOf(codes: string): Style {
  const numbers = codes.split(/[;:]/).map(Number)
  const style: { -readonly [Name in keyof Style]: Style[Name] } = { ...plain }
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0
    const flag = flags[code]
    if (flag !== undefined) style[flag] = true
    else if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5
      const color = isIndexed ? (numbers[at + 2] ?? 0) : hex(numbers.slice(at + 2, at + 5))
      style[code === 38 ? 'foreground' : 'background'] = color
      at += isIndexed ? 2 : 4
    }
  }
  return style
}

type Flag = Exclude<keyof Style, 'foreground' | 'background'>
const flags: Readonly<Record<number, Flag>> = {
  1: 'isBold',
  2: 'isDim',
  3: 'isItalic',
  4: 'isUnderlined',
  7: 'isInverse',
  8: 'isHidden',
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.min(255, part).toString(16).padStart(2, '0')).join('')}`

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const zero = /^(?:[\p{Mn}\p{Me}\u200b-\u200f]|\p{Emoji_Modifier})$/u
const ascii = /^[\x20-\x7e]*$/

/** Returns the width in cells, precise enough for small pictures. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const character of text) width += zero.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}
