/** Splits one row of a screen into parts of one style each. The cell of the cursor is a part of its own. */

import { runsOf, type Style, widthOf } from '../wall/row-runs.ts'
import { colorsOf, type Theme } from '../wall/run-colors.ts'

export interface LinePart {
  readonly text: string
  readonly isCursor: boolean
  /** The target of the hyperlink that it is a part of; null for none. */
  readonly link: string | null
  /** Null: the default style of the theme. */
  readonly look: PartLook | null
}

export interface PartLook {
  readonly color: string
  /** Null: no background is painted. */
  readonly background: string | null
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isHidden: boolean
}

/** `cursorCol`: null if the cursor is not in this row. */
export function linePartsOf(row: string, theme: Theme, cursorCol: number | null): readonly LinePart[] {
  const parts: LinePart[] = []
  let end = 0
  for (const { text, col, width, style, link } of runsOf(row)) {
    const look = lookOf(style, theme)
    end = col + width
    const isHere = cursorCol !== null && cursorCol >= col && cursorCol < end
    if (!isHere) {
      parts.push({ text, isCursor: false, link, look })
      continue
    }
    const [before, at, after] = cutAt(text, cursorCol - col)
    if (before !== '') parts.push({ text: before, isCursor: false, link, look })
    parts.push({ text: at, isCursor: true, link, look })
    if (after !== '') parts.push({ text: after, isCursor: false, link, look })
  }
  if (cursorCol === null || cursorCol < end) return parts
  const gap = ' '.repeat(cursorCol - end)
  if (gap !== '') parts.push({ text: gap, isCursor: false, link: null, look: null })
  return [...parts, { text: ' ', isCursor: true, link: null, look: null }]
}

function lookOf(style: Style, theme: Theme): PartLook | null {
  const { isBold, isDim, isItalic, isUnderlined, isHidden, isInverse } = style
  const isPlain = style.foreground === null && style.background === null && !isInverse
  if (isPlain && !isBold && !isDim && !isItalic && !isUnderlined && !isHidden) return null
  const [color, ground] = colorsOf(style, theme)
  const background = ground === theme.background ? null : ground
  return { color, background, isBold, isDim, isItalic, isUnderlined, isHidden }
}

/** Splits the text before, in and after the cell. A character without width stays with the one before it. */
function cutAt(text: string, cell: number): readonly [string, string, string] {
  const parts: [string, string, string] = ['', '', '']
  let [col, into]: [number, 0 | 1 | 2] = [0, 0]
  for (const character of text) {
    const width = widthOf(character)
    if (width > 0) into = col + width <= cell ? 0 : col <= cell ? 1 : 2
    parts[into] += character
    col += width
  }
  return parts
}

/** A line drawn across the whole screen of the program. It is cut off where other lines would wrap. */
const rule = /^\s*([─━═╌┄┈▔▁▀▄_=*-])\1{15,}\s*$/u

export function isRule(row: string): boolean {
  return rule.test(runsOf(row).reduce((text, run) => text + run.text, ''))
}
