/** Finds the caret that a program with a hidden cursor draws where it edits a line. */

import type { ScreenPicture } from './screen.ts'

/** Rows and columns count from 0. */
export interface Caret {
  readonly row: number
  readonly col: number
}

/** The text that a drawn caret ends. */
export interface CaretLine {
  /** The text before the caret in its row, without the bar of a frame. */
  readonly before: string
  /** The last row above with text. */
  readonly above: string
}

type Picture = Pick<ScreenPicture, 'text' | 'styles'>

/** A block behind the typed text, which is no part of a bar. */
const blockCaret = /(?<!█)█$/u
const bar = /^\s*[│┃║▌|]\s{0,3}/u

/** Returns the lowest single inverse cell at which `fits` holds; null without one. */
export function inverseCaret({ styles }: Pick<Picture, 'styles'>, fits: (caret: Caret) => boolean): Caret | null {
  for (let row = styles.length - 1; row >= 0; row--) {
    const col = singleInverse(styles[row] ?? '')
    if (col !== null && fits({ row, col })) return { row, col }
  }
  return null
}

export function caretLineOf({ text, styles }: Picture): CaretLine | null {
  const caret = inverseCaret({ styles }, ({ row, col }) => isInText(text[row] ?? '', col)) ?? blockIn(text)
  if (caret === null) return null
  const above = text.slice(0, caret.row).findLast((line) => line.replace(bar, '').trim() !== '') ?? ''
  return { before: (text[caret.row] ?? '').slice(0, caret.col).replace(bar, ''), above: above.replace(bar, '') }
}

/** At the end of the text, or with text behind it: one character between blanks is a chosen item. */
function isInText(line: string, col: number): boolean {
  return /^(?:[\s_]|\S\S|$)/u.test(line.slice(col))
}

function blockIn(text: readonly string[]): Caret | null {
  const row = text.findLastIndex((line) => blockCaret.test(line))
  return row < 0 ? null : { row, col: (text[row] ?? '').length - 1 }
}

/** Returns the column of a single inverse cell; null without one. A look begins at its column and ends where the next begins. */
function singleInverse(style: string): number | null {
  if (!style.includes('/inverse')) return null
  const looks = [...style.matchAll(/(\d+)(\/[^;]*)?;/g)]
  const at = looks.findIndex(([, , look = '']) => look.startsWith('/inverse'))
  const from = Number(looks[at]?.[1])
  const until = Number(looks[at + 1]?.[1])
  return until - from <= 2 ? from : null
}
