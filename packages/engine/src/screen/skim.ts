/**
 * Output that need not be drawn: text whose lines would have left the screen and its scrollback again by the end of what
 * is at hand. A flood is drawn at the speed of a search instead of the emulator's.
 */

import { controlByte } from '@agentpty/protocol/escapes'
import { isPlainLines } from '../marks/plain-lines.ts'

export interface Skim {
  /** How many bytes at the front need not be drawn. What follows them begins a line. */
  readonly bytes: number
  /** The colours, or the title, that they leave in force, as escape sequences. Latin1: a character is a byte. */
  readonly residue: string
}

/** Smaller pieces are drawn at once. */
const skimBytesMin = 16 * 1024
const stylesMax = 1_024

const { lineFeed, carriageReturn } = controlByte

const styling = /\x1b\[[\d;:]*m/g
const unstyled = /\x1b\[0?m/g

/** What can be passed over when `lines` lines at the end fill everything that is kept; null when nothing can. */
export function skim(bytes: Uint8Array, lines: number): Skim | null {
  const end = startOfLastLines(bytes, lines)
  if (end < skimBytesMin) return null
  if (isPlainLines(bytes.subarray(0, end))) return { bytes: end, residue: '' }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1')
  if (!isPlainLines(Buffer.from(text.replace(styling, ''), 'latin1'))) return null
  const styles = stylesAfter(text)
  return styles.length > stylesMax ? null : { bytes: end, residue: styles }
}

/** Index after the line end before the last `lines` lines; -1 when there are fewer. */
function startOfLastLines(bytes: Uint8Array, lines: number): number {
  let at = bytes.length
  for (let line = 0; line <= lines; line++) {
    at = bytes.lastIndexOf(lineFeed, at - 1)
    if (at <= 0) return -1
  }
  return bytes[at - 1] === carriageReturn ? at + 1 : -1
}

function stylesAfter(text: string): string {
  let reset = 0
  for (const { index } of text.matchAll(unstyled)) reset = index
  return (text.slice(reset).match(styling) ?? []).join('')
}
