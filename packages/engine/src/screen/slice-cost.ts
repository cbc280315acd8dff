/**
 * How much output the emulator can be given at a time without keeping others waiting. Two bytes can turn a whole screen
 * over: what counts is work, guessed from the sequences before any of it is done.
 */

import type { Size } from '@agentpty/protocol'
import { controlByte, csiFinalAt } from '@agentpty/protocol/escapes'

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

/** How many bytes from the front cost about `micros`; always some, and never a part of a sequence that costs much. */
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
