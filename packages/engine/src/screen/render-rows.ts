/**
 * Output as the rows of a terminal with their styles, for the scroll-back of a view. Each row can be drawn without the rows above it.
 *
 * Lines of ASCII with nothing but colours are cut at the width without an emulator; other output is played on a scratch screen. Both give
 * the same rows where both apply.
 */

import { controlByte } from '@agentpty/protocol/escapes'
import { expandTabs, onScratch, unstyledSilent } from './render-text.ts'
import { stylesAfter } from './skim.ts'
import { type RenderedRow, trimBlanks } from './style-codes.ts'

interface RowsOptions {
  readonly cols: number
  /** The output before it, in which the styles in force are found. */
  readonly before: Uint8Array
  /** The output begins on the alternate screen. */
  readonly isAlternate: boolean
}

export type RenderedRows = readonly RenderedRow[]

const enterAlternateScreen = '\x1b[?1049h'
/** Programs that set more styles without a reset are drawn by the emulator. */
const stylesMax = 512

/** Rows of the output. A last row without text is not one. Rows of the alternate screen are left out. */
export async function renderRows(bytes: Uint8Array, { cols, before, isAlternate }: RowsOptions): Promise<RenderedRows> {
  const styles = isAlternate ? '' : stylesAfter(latin1(before)).slice(-stylesMax)
  const plain = isAlternate ? null : plainRows(bytes, cols, styles)
  if (plain !== null) return plain
  const lead = Buffer.from(isAlternate ? enterAlternateScreen : styles)
  return onScratch((scratch) => scratch.renderRows(bytes, { cols, lead }))
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

const silent = new RegExp(unstyledSilent, 'g')
const notAscii = /[^\x00-\x7f]/
const control = /[\x00-\x08\x0a-\x1f\x7f]/
const isStyled = /[1-9]/
const style = /\x1b\[[\d;:]*m/g

/** Null if the output needs an emulator. */
export function plainRows(bytes: Uint8Array, cols: number, stylesBefore: string): RenderedRows | null {
  const source = latin1(bytes)
  if (notAscii.test(source)) return null
  const rows: RenderedRow[] = []
  let styles = stylesBefore
  for (let begin = 0; begin < source.length; ) {
    const found = source.indexOf('\n', begin)
    const end = found < 0 ? source.length : found
    // Without a return, the next line begins below the end of this one.
    const isStraight = found < 0 || source[found - 1] === '\r'
    const line = isStraight ? styledLine(source.slice(begin, end), cols) : null
    if (line === null || styles.length > stylesMax) return null
    // A tab has no style.
    if (isStyled.test(styles) && source.slice(begin, end).includes('\t')) return null
    const text = line.includes('\x1b') ? line.replaceAll(style, '') : line
    if (found >= 0 || trimBlanks(text) !== '') rows.push(...cutLine({ line, text, styles, offset: begin }, cols))
    if (line !== text) styles = stylesAfter(styles + line)
    begin = end + 1
  }
  return rows
}

/** A line with colours alone; null if it has anything else. */
function styledLine(source: string, cols: number): string | null {
  const line = withoutReturns(
    source.includes('\x1b') || source.includes('\x07') ? source.replaceAll(silent, '') : source,
  )
  if (control.test(line.includes('\x1b') ? line.replaceAll(style, '') : line)) return null
  if (!line.includes('\t')) return line
  // A tab goes no farther than the last column.
  const expanded = line.includes('\x1b') ? null : expandTabs(line, '')
  return expanded === null || expanded.length > cols ? null : expanded
}

/** Carriage returns before a line feed do nothing. */
function withoutReturns(line: string): string {
  let end = line.length
  while (line.charCodeAt(end - 1) === controlByte.carriageReturn) end -= 1
  return line.slice(0, end)
}

interface Line {
  readonly line: string
  readonly text: string
  /** In force at its beginning. */
  readonly styles: string
  readonly offset: number
}

function cutLine({ line, text, styles, offset }: Line, cols: number): RenderedRow[] {
  if (text.length <= cols) return [{ text: trimBlanks(text), styled: styles + line, offset, isWrapped: false }]
  const rows: RenderedRow[] = []
  let [styled, width, inForce] = [styles, 0, styles]
  let row = ''
  const finish = () => {
    rows.push({ text: trimBlanks(row), styled, offset, isWrapped: rows.length > 0 })
    ;[styled, width, row] = [inForce, 0, '']
  }
  for (const [part = ''] of line.matchAll(/\x1b\[[\d;:]*m|[^\x1b]+/g)) {
    if (part.startsWith('\x1b')) {
      styled += part
      inForce = stylesAfter(inForce + part)
    } else
      for (let at = 0; at < part.length; ) {
        if (width === cols) finish()
        const piece = part.slice(at, at + cols - width)
        styled += piece
        row += piece
        width += piece.length
        at += piece.length
      }
  }
  finish()
  return rows
}
