/** Output of programs as text: tabs, blanks and line ends as they were sent. */

import { unfinishedEscapeCharactersMax } from '../limits.ts'

/** A shell's marks around the output of a command: OSC 133 C and D. */
const outputBegins = /\x1b\]133;C(?:;[^\x07\x1b]*)?(?:\x07|\x1b\\)/
const outputEnds = '\x1b]133;D'

/**
 * Raw output of a terminal without escape sequences. The terminal's driver sends `\r\n` for each line end of a program.
 *
 * @example printedText('\x1b[31ma\tb \x1b[0m\r\n') // 'a\tb \n'
 */
export const printedText = (raw: string): string => withoutEscapes(raw).replaceAll('\r\n', '\n')

interface SplitOutput {
  /** The echo of the command, and what came before it. */
  readonly before: string
  /** From where the first command began to print; null where none began. */
  readonly output: string | null
}

export function splitAtOutput(raw: string): SplitOutput {
  const begin = outputBegins.exec(raw)
  if (begin === null) return { before: raw, output: null }
  return { before: raw.slice(0, begin.index), output: raw.slice(begin.index + begin[0].length) }
}

/** Returns the output of the commands in raw output, without echo and prompt; null where none began and ended. */
export function printedByCommands(raw: string): string | null {
  const { output } = splitAtOutput(raw)
  const end = output?.lastIndexOf(outputEnds) ?? -1
  return output === null || end < 0 ? null : printedText(output.slice(0, end))
}

// The grammar of escape sequences as parts of regular expressions, for text that is whole or nearly so. Bytes that arrive
// split anywhere are for {@link SequenceScanner}.

/** Parameters, intermediates and the final byte of a control sequence, all after its `ESC [`. */
export const csiParameters = '[0-?]*[ -/]*'
export const csi = String.raw`\x1b\[${csiParameters}[@-~]`

/** The begin of a string: OSC, DCS, SOS, PM, APC. */
export const stringBegin = String.raw`\x1b[\]PX^_]`
/** ST, or BEL, which ends an OSC and is taken for the end of the others too: a string that is never ended hides all text. */
export const stringEnd = String.raw`(?:\x07|\x1b\\)`

/** The other sequences: intermediates and a final byte. It matches what begins a string or a CSI too, so it must be tried last. */
const single = String.raw`\x1b[ -/]*[0-~]`
/** The same without the begin of a string or a CSI: for text whose end may still be missing. */
export const wholeSingle = '\\x1b[ -/]*[0-OQ-WYZ`-~]'

/** Controls with 8 bits, in UTF-8 that was read as Latin1. */
export const c1InLatin1 = String.raw`\xc2[\x80-\x9f]`

/** Any sequence. A string without an end continues to the end of its line, and not farther. */
export const sequence = String.raw`${stringBegin}[^\x07\x1b\n]*(?:${stringEnd}|$)|${csi}|${single}`

// Escape sequences in raw output.

const sequences = new RegExp(sequence, 'g')
const beginOfString = new RegExp(`^${stringBegin}`)
const unfinished = new RegExp(String.raw`^(?:\x1b(?:\[${csiParameters}|[ -/]+)|${stringBegin}[^\x07]*)$`)

/**
 * The text without escape sequences; line ends and other control characters stay.
 *
 * @example withoutEscapes('\x1b[31mred\x1b[0m\r\n') // 'red\r\n'
 */
export function withoutEscapes(text: string): string {
  return text.replaceAll(sequences, '')
}

/**
 * The beginning of an escape sequence at the end of a text; empty when there is none, or when it is too long to wait for.
 *
 * @example unfinishedEscape('red\x1b[3') // '\x1b[3'
 */
export function unfinishedEscape(text: string): string {
  const at = text.lastIndexOf('\x1b')
  const rest = at < 0 ? '' : text.slice(at)
  if (rest.length > unfinishedEscapeCharactersMax) return ''
  // In a string that ends with ESC \, the end begins with ESC as well.
  if (rest === '\x1b') return unfinishedString(text.slice(0, at)) + rest
  return unfinished.test(rest) ? rest : ''
}

function unfinishedString(text: string): string {
  const rest = unfinishedEscape(text)
  return beginOfString.test(rest) ? rest : ''
}

// The control bytes that escape sequences are made of. All of ECMA-48's names; in UTF-8 a byte below 0x80 is always itself.

/** ESC as text. */
export const esc = '\x1b'

export const controlByte = {
  bel: 0x07,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  /** CAN and SUB abort a sequence. */
  can: 0x18,
  sub: 0x1a,
  esc: 0x1b,
  del: 0x7f,
} as const

/** The first byte that is not a C0 control: from here to `0x2f` are the intermediate bytes of an escape sequence. */
export const firstPrintable = 0x20

/** The 8-bit controls (C1) are two bytes in UTF-8: this lead, then less than `c1End`. */
export const c1Lead = 0xc2
export const c1End = 0xa0

/** Terminators of an OSC, DCS, SOS, PM or APC in an emulator: ESC (of ST or of the next sequence), BEL, CAN, SUB, the 8-bit ST. */
export const stringEnds: readonly Uint8Array[] = [
  [controlByte.esc],
  [controlByte.bel],
  [controlByte.can],
  [controlByte.sub],
  [c1Lead, 0x9c],
].map((end) => Uint8Array.from(end))
