/**
 * Finds text that is highlighted by its background alone: the chosen item of a menu, a selection, a button. A person sees it
 * immediately; in the text of the screen it would be lost.
 *
 * A background is *ground* when it is the default, the most common one, or covers much of the screen (a window, a panel).
 * Text on any other is highlighted. A row with many such spans is a bar of keys or a legend, and none of them is marked.
 */

import { trimBlanks } from './style-codes.ts'
import type { IBufferCell, IBufferLine } from './terminal.ts'

/** Rows and columns count from 0. */
export interface Highlight {
  readonly row: number
  readonly col: number
  readonly text: string
}

export interface ScreenHighlights {
  /** Each row's text with « and » around highlighted text, trailing blanks trimmed. */
  readonly marked: readonly string[]
  /** Each row's colours and attributes; rows of the same text and style look the same. */
  readonly styles: readonly string[]
  readonly highlights: readonly Highlight[]
}

/** Neighbouring cells of one background. */
interface Run {
  readonly col: number
  readonly cells: number
  readonly background: string
  readonly text: string
}

interface Row {
  readonly runs: readonly Run[]
  readonly style: string
}

/** A background that covers this share of the screen is ground. */
const groundShare = 0.25
const spansPerRowMax = 4
const plain = ''

export function highlightsOf(lines: readonly (IBufferLine | undefined)[]): ScreenHighlights {
  const rows = lines.map(readRow)
  const isGround = groundOf(rows)
  const highlights: Highlight[] = []
  const marked = rows.map(({ runs }, row) => {
    const spans = runs.filter(({ background, text }) => !isGround(background) && text.trim() !== '')
    if (spans.length === 0 || spans.length > spansPerRowMax) return textOf(runs)
    for (const { col, text } of spans)
      highlights.push({ row, col: col + text.length - text.trimStart().length, text: text.trim() })
    return trimBlanks(runs.map((run) => (spans.includes(run) ? marks(run.text) : run.text)).join(''))
  })
  return { marked, styles: rows.map(({ style }) => style), highlights }
}

/** The blanks around the words stay outside. */
function marks(text: string): string {
  const word = text.trim()
  const begin = text.indexOf(word)
  return `${text.slice(0, begin)}«${word}»${text.slice(begin + word.length)}`
}

const textOf = (runs: readonly Run[]): string => trimBlanks(runs.map(({ text }) => text).join(''))

function groundOf(rows: readonly Row[]): (background: string) => boolean {
  const counts = new Map<string, number>()
  let all = 0
  for (const { background, cells } of rows.flatMap(({ runs }) => runs)) {
    counts.set(background, (counts.get(background) ?? 0) + cells)
    all += cells
  }
  const most = Math.max(...counts.values())
  return (background) => {
    const count = counts.get(background) ?? 0
    return background === plain || count === most || count >= all * groundShare
  }
}

function readRow(line: IBufferLine | undefined): Row {
  const runs: { col: number; cells: number; background: string; text: string }[] = []
  let style = ''
  let lastStyle = ''
  let cell: IBufferCell | undefined
  for (let col = 0; col < (line?.length ?? 0); col += 1) {
    cell = line?.getCell(col, cell)
    // The right half of a wide character has no width; its left half represents both.
    if (cell === undefined || cell.getWidth() === 0) continue
    const background = backgroundOf(cell)
    const cellStyle = styleOf(cell, background)
    if (cellStyle !== lastStyle) style += `${col}${cellStyle};`
    lastStyle = cellStyle
    const last = runs.at(-1)
    const text = cell.getChars() || ' '
    if (last?.background === background) {
      last.text += text
      last.cells += cell.getWidth()
    } else runs.push({ col, cells: cell.getWidth(), background, text })
  }
  return { runs, style }
}

/** Inverse cells have their foreground as background. */
function backgroundOf(cell: IBufferCell): string {
  if (cell.isInverse()) return `inverse ${cell.getFgColorMode()}:${cell.getFgColor()}`
  return cell.isBgDefault() ? plain : `${cell.getBgColorMode()}:${cell.getBgColor()}`
}

function styleOf(cell: IBufferCell, background: string): string {
  if (cell.isAttributeDefault()) return ''
  const attributes = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isStrikethrough()]
  const flags = attributes.map((on) => (on ? 1 : 0)).join('')
  return `/${background}/${cell.getFgColorMode()}:${cell.getFgColor()}/${flags}${cell.isInvisible() ? 'h' : ''}`
}
