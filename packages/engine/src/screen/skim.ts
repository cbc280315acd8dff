/**
 * Output that need not be drawn: text whose lines would have left the screen and its scrollback again by the end of what
 * is at hand. A flood is drawn at the speed of a search instead of the emulator's.
 */

import { isUtf8 } from 'node:buffer'
import { type Size, sequenceStringBytesMax } from '@agentpty/protocol'
import { controlByte, csiFinalAt, esc, stringEnds } from '@agentpty/protocol/escapes'
import { type Dropped, openSequenceBytesMax } from '@agentpty/protocol/session'
import { isPlainLines } from '../marks/plain-lines.ts'
import type { OpenKind } from './emulator-state.ts'

export interface Skim {
  /** The number of bytes at the front that need not be drawn. The next byte begins a line. */
  readonly bytes: number
  /** The colours, or the title, that they leave in force, as escape sequences. Latin1: a character is a byte. */
  readonly residue: string
}

/** Smaller pieces are drawn without skimming. */
const skimBytesMin = 16 * 1024
const stylesMax = 1_024

const { lineFeed, carriageReturn } = controlByte

const styling = /\x1b\[[\d;:]*m/g
const unstyled = /\x1b\[0?m/g

/** Returns the bytes that can be passed over when the last `lines` lines fill everything that is kept. Null when none can. */
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

/** Returns the sequences that set the styles in force after the text. Latin1: a character is a byte. */
export function stylesAfter(text: string): string {
  let reset = 0
  for (const { index } of text.matchAll(unstyled)) reset = index
  return (text.slice(reset).match(styling) ?? []).join('')
}

// How much output the emulator can be given at a time without keeping others waiting. Two bytes can turn a whole screen
// over: what counts is work, guessed from the sequences before any of it is done.

/** Microseconds on an ordinary machine; measuring corrects a wrong factor. */
const cost = {
  byte: 0.05,
  sequence: 0.5,
  /** Cost of each cell that is overwritten. */
  cell: 0.02,
  /** Cost of each row that is moved, whatever is in it. */
  row: 3,
  screenSwitch: 30,
  reset: 60,
} as const

const countMax = 1_000
const screenModes = /^\?(?:[\d;]*;)?(?:3|47|1047|1049)(?:;|$)/
/** Longer sequences are not read to their end. */
const parametersMax = 32

/** Bytes of text that are played with a sequence that has used all there was. */
const textBytesMin = 64

const [hash, bracketOpen, reset, lineUp, lineDown, nextLine] = [...'#[cMDE'].map((letter) => letter.charCodeAt(0))

/** Returns how many bytes from the front cost about `micros`: at least one, and never a part of an expensive sequence. */
export function sliceWithin(bytes: Uint8Array, micros: number, size: Size): number {
  let spent = 0
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(controlByte.esc, at)
    const textEnd = found < 0 ? bytes.length : found
    const room = Math.max(textBytesMin, Math.ceil((micros - spent) / cost.byte))
    if (textEnd - at > room) return at + room
    spent += (textEnd - at) * cost.byte
    if (found < 0) return bytes.length
    const sequence = costOf(bytes, found, size)
    if (found > 0 && spent + sequence > micros) return found
    spent += sequence
    at = found + 1
  }
  return bytes.length
}

function costOf(bytes: Uint8Array, at: number, { cols, rows }: Size): number {
  const kind = bytes[at + 1]
  if (kind === reset) return cost.reset + rows * cols * cost.cell
  if (kind === hash) return rows * cols * cost.cell
  if (kind === lineUp || kind === lineDown || kind === nextLine) return cost.row
  return kind === bracketOpen ? costOfCsi(bytes, at + 2, { cols, rows }) : cost.sequence
}

function costOfCsi(bytes: Uint8Array, begin: number, { cols, rows }: Size): number {
  const end = csiFinalAt(bytes, begin, parametersMax)
  const final = String.fromCharCode(bytes[end] ?? 0)
  if (!'LMSTJhlbIZ'.includes(final)) return cost.sequence
  const parameters = Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('latin1')
  const count = Math.min(countMax, Math.max(1, Number.parseInt(parameters, 10) || 1))
  switch (final) {
    case 'J':
      return rows * cols * cost.cell
    case 'h':
    case 'l':
      return screenModes.test(parameters) ? cost.screenSwitch + rows * cols * cost.cell : cost.sequence
    case 'b':
    case 'I':
    case 'Z':
      return cost.sequence + count * cost.byte
    default:
      return count * cost.row
  }
}

/**
 * Lets no string of an escape sequence (a title, a picture, a setting) grow without end: the emulator would gather ten
 * million characters of each. The rest of a longer one is left out; its end stays where it is.
 */
export class LongStrings {
  /** Bytes of the string that is open, as far as they have been let through. */
  #open = 0
  readonly #dropped: Dropped

  constructor(dropped: Dropped) {
    this.#dropped = dropped
  }

  /** Returns the next bytes without those that are too many. `isInside`: a string is open before them. */
  take(bytes: Uint8Array, isInside: boolean): Uint8Array {
    if (!isInside) {
      this.#open = 0
      return bytes
    }
    const end = firstEnd(bytes)
    const room = Math.max(0, sequenceStringBytesMax - this.#open)
    this.#open += Math.min(end, room)
    if (end <= room) return bytes
    this.#dropped.stringBytes += end - room
    return Buffer.concat([bytes.subarray(0, room), bytes.subarray(end)])
  }
}

function firstEnd(bytes: Uint8Array): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const found = stringEnds.map((end) => source.indexOf(end)).filter((at) => at >= 0)
  return Math.min(bytes.length, ...found)
}

// The bytes that a terminal must be fed besides its picture where the log ends inside an escape sequence: the part of the sequence
// that has come. The terminal then reads later bytes as the rest of that sequence.

/** Opens a string of the same kind whose content has no effect: for one whose beginning is gone or too long. */
const withoutEffect: Readonly<Record<OpenKind, string>> = {
  escape: '',
  osc: `${esc}]7501;`,
  dcs: `${esc}P0z`,
  text: `${esc}_`,
}

/** The number of the log's last bytes that are enough to find the open sequence. */
export const longestOpenSequence = openSequenceBytesMax

/** C0 controls inside of a sequence have had their effect already. */
const controls = /[\x00-\x17\x19\x1c-\x1f\x7f]/g
/** The beginnings of sequences, as Latin1: ESC, or a C1 control as UTF-8 writes it. */
const begins = [esc, '\xc2\x90', '\xc2\x98', '\xc2\x9b', '\xc2\x9d', '\xc2\x9e', '\xc2\x9f']

/** `before`: the end of the log up to there, in whole characters. */
export function openSequence(kind: OpenKind | null, before: Uint8Array): string {
  if (kind === null) return ''
  const bytes = Buffer.from(before.buffer, before.byteOffset, before.length).subarray(-openSequenceBytesMax)
  const text = bytes.toString('latin1')
  const from = Math.max(...begins.map((begin) => text.lastIndexOf(begin)))
  if (from < 0) return withoutEffect[kind]
  const open = bytes.subarray(from).toString()
  return kind === 'escape' ? open.replace(controls, '') : open
}

/**
 * Passes bytes on in whole UTF-8 characters: the beginning of one at the end of a chunk waits for the next chunk. Bytes that are not
 * UTF-8 become U+FFFD.
 *
 * The emulator has a decoder for that, but it loses a character that is split after a continuation byte 0x80: curly
 * quotes, dashes, box drawings and the joiner of emoji all have one. It also leaves malformed bytes out without a trace.
 */
export class WholeCharacters {
  #waiting: Uint8Array = new Uint8Array(0)

  /** No part of a character is held back. */
  get isWhole(): boolean {
    return this.#waiting.length === 0
  }

  /** The number of withheld bytes. */
  get waitingBytes(): number {
    return this.#waiting.length
  }

  take(bytes: Uint8Array): Uint8Array {
    const joined = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes])
    const whole = joined.length - unfinishedBytes(joined)
    // A copy, because the caller may overwrite the chunk once it was parsed.
    this.#waiting = joined.slice(whole)
    const taken = joined.subarray(0, whole)
    return isUtf8(taken) ? taken : Buffer.from(decoder.decode(taken))
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const longestCharacter = 4

/** The bytes without the beginning of a character at their end. */
export function wholeCharactersOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
}

/** Returns the number of bytes at the end that begin an incomplete character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count < longestCharacter && count <= bytes.length; count += 1) {
    const value = bytes[bytes.length - count] ?? 0
    if (value < 0x80) return 0
    if (value >= 0xc0) return count < characterBytes(value) ? count : 0
  }
  return 0
}

function characterBytes(first: number): number {
  if (first >= 0xf8) return 1
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}
