/**
 * Output bytes as the text a person would have read: progress bars in their last state, backspaces applied, escapes
 * gone, rows that only the screen's width had broken joined again.
 *
 * Rendered, never stripped. Most output only adds text, and is rendered without an emulator; the rest is played on a
 * scratch screen. Both give the same lines where both apply.
 */

import { isUtf8 } from 'node:buffer'
import { controlByte, stringEnd } from '@agentpty/protocol/escapes'
import { ScratchScreen } from './scratch-screen.ts'
import { type RenderedLine, trimBlanks } from './style-codes.ts'

export type { RenderedLine } from './style-codes.ts'

interface RenderOptions {
  readonly cols: number
  /**
   * The earlier output on the same line, the prompt for example. It is played first. The first line begins after it
   * if it is still there unchanged; otherwise the first line is given whole.
   */
  readonly lead?: Uint8Array
}

/**
 * The lines of the output. A last line without text is not one.
 *
 * @example await renderText(Buffer.from('10%\r99%\r\n'), { cols: 80 }) // [{ text: '99%', offset: 0 }]
 */
export async function renderText(bytes: Uint8Array, options: RenderOptions): Promise<readonly RenderedLine[]> {
  const lead = options.lead ?? new Uint8Array(0)
  return renderPlain(bytes, lead) ?? (await renderOnScratch(bytes, { cols: options.cols, lead }))
}

interface ScratchOptions {
  readonly cols: number
  readonly lead: Uint8Array
}

const idleMax = 2
const idle: ScratchScreen[] = []

/**
 * Lines of output that needs a terminal to be read, from a scratch screen.
 *
 * The scratch screen is taller than real ones, so that programs that repaint their last rows find them, and its rows
 * are taken away as they scroll off for good, so any number of them can be rendered. Making one takes a millisecond;
 * a few are kept for the next time.
 */
export async function renderOnScratch(bytes: Uint8Array, options: ScratchOptions): Promise<readonly RenderedLine[]> {
  return onScratch((scratch) => scratch.render(bytes, options))
}

/** Runs with a scratch screen that no other rendering uses meanwhile. */
export async function onScratch<Result>(render: (scratch: ScratchScreen) => Promise<Result>): Promise<Result> {
  const scratch = idle.pop() ?? new ScratchScreen()
  const rendered = await render(scratch)
  if (idle.length < idleMax) idle.push(scratch)
  else scratch.dispose()
  return rendered
}

const { lineFeed } = controlByte
const tabColumns = 8

/**
 * Lines of output that only adds text at the end: no emulator is needed, and the cursor is always after what was
 * written. Colours, titles, marks and modes are left out; anything that moves or erases means "not plain", which is
 * null.
 */
export function renderPlain(bytes: Uint8Array, lead: Uint8Array): readonly RenderedLine[] | null {
  if (!isUtf8(bytes) || !isUtf8(lead)) return null
  const before = leadText(lead)
  if (before === null) return null
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lines: RenderedLine[] = []
  let begin = 0
  while (begin < source.length) {
    const found = source.indexOf(lineFeed, begin)
    const end = found < 0 ? source.length : found
    const text = plainLine(source.toString('utf8', begin, end), begin === 0 ? before : '')
    if (text === null) return null
    if (found >= 0 || trimBlanks(text) !== '') lines.push({ text: trimBlanks(text), offset: begin })
    begin = end + 1
  }
  return lines
}

/** The text of the lead's last line, or null if any of its lines is not plain. */
function leadText(lead: Uint8Array): string | null {
  let text: string | null = ''
  for (const line of Buffer.from(lead).toString().split('\n')) {
    text = plainLine(line, '')
    if (text === null) return null
  }
  return text
}

/** Colours and styles. */
const styling = '\\x1b\\[[\\d;:]*m'
/** Sequences that neither move, nor erase, nor write, nor set a style, in any position. */
export const unstyledSilent = [
  '\\x1b\\[[<>=?][\\d;:]*[mu]', // keyboard protocols
  '\\x1b\\[\\d* q', // the shape of the cursor
  '\\x1b\\[\\?(?:(?:[15]|1[2-6]|25|66|100\\d|101[56]|20\\d\\d|9001);?)+[hl]', // modes that leave the text alone
  `\\x1b\\][^\\x00-\\x1f\\x80-\\x9f]*${stringEnd}`, // titles, marks, links
  '\\x1b[=>]', // the keypad
  '\\x1b\\(B', // ASCII, which it is already
  '\\x07', // the bell
].join('|')
const silent = new RegExp(`${styling}|${unstyledSilent}`, 'g')

const eraseToEnd = /\x1b\[0?K/g
const control = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/

/** A line without its line feed, or null. `before` is the text that the line has already. */
function plainLine(source: string, before: string): string | null {
  const visible = source.includes('\x1b') || source.includes('\x07') ? source.replaceAll(silent, '') : source
  const ended = withoutReturns(visible, before)
  // No carriage return is left, so the cursor is at the end of the line, where there is nothing to erase.
  const text = ended.includes('\x1b') && !ended.includes('\r') ? ended.replaceAll(eraseToEnd, '') : ended
  if (control.test(text)) return null
  return text.includes('\t') ? expandTabs(text, before) : text
}

/** Carriage returns do nothing before a line feed, and at the first column. */
function withoutReturns(text: string, before: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\r') end -= 1
  let start = 0
  while (before === '' && start < end && text[start] === '\r') start += 1
  return text.slice(start, end)
}

export function expandTabs(text: string, before: string): string | null {
  // Columns are characters only in ASCII.
  if (/[^\t -~]/.test(before + text)) return null
  let column = before.length
  let expanded = ''
  for (const [index, part] of text.split('\t').entries()) {
    const blanks = index === 0 ? 0 : tabColumns - (column % tabColumns)
    expanded += ' '.repeat(blanks) + part
    column += blanks + part.length
  }
  return expanded
}
