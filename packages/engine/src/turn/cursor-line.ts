/**
 * The line the cursor is on, read from the last output: enough wherever nothing was drawn across lines, and no screen
 * is needed for it. Programs that move the cursor up, down or to a position are drawing; for them a screen is needed.
 */

import { columnsMax, type Offset } from '@agentpty/protocol'
import type { OutputLog } from '../log/output-log.ts'

export interface CursorLine {
  readonly before: string
  /** The whole line, with what is behind the cursor. */
  readonly line: string
  /** The line was drawn by moving about, so `before` is a guess. */
  readonly drawn: boolean
  /** It was written from left to right, as line editors never write it: they place the cursor and erase. */
  readonly plain: boolean
}

const tailBytes = 1_024
const lineFeed = 0x0a
/** Back to the first column, and text there. */
const writtenOver = /(?:\r|\x1b\[1?G)(?:\x1b\[[0-?]*[ -/]*[@-~])*[^\r\n\x1b]/g
const controls = /[\x00-\x1f\x7f]/
/** Sequences that do not move the cursor: titles, marks, colours, modes of keys and pastes, the cursor's look. */
const silent = /\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[(?:[\d;:]*m|\?(?:1|25|2004)[hl])|\x1b[=>]/g
const decoder = new TextDecoder()

const sequences = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g

// One step of a terminal: an OSC, DCS or the like; a CSI; another escape; one other character.
const steps = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[ -/]*[0-~]|[\s\S]/gu

export function cursorLine(log: OutputLog): CursorLine {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - tailBytes), until: log.end })
  const text = decoder.decode(bytes.subarray(bytes.lastIndexOf(lineFeed) + 1))
  const plain = text.replace(silent, '')
  if (!controls.test(plain)) return { before: plain, line: plain, drawn: false, plain: true }
  const line = new LineModel()
  for (const [step, parameters, final] of text.matchAll(steps)) {
    if (final !== undefined) line.control(final, parameters ?? '')
    else if (step.length === 1 || step.codePointAt(0) !== 0x1b) line.put(step)
  }
  return { before: line.before, line: line.all, drawn: line.drawn, plain: false }
}

/** The last whole lines since the offset, the last one first, without escape sequences. */
export function linesAbove(log: OutputLog, since: Offset): readonly string[] {
  const { bytes } = log.read({ since: Math.max(log.start, since, log.end - tailBytes), until: log.end })
  const lines = decoder.decode(bytes).replace(sequences, '').replaceAll('\r', '').split('\n')
  return lines.slice(0, -1).reverse()
}

/** The number of times since the offset that the program has written over the line at the cursor. */
export function timesWrittenOver(log: OutputLog, since: Offset): number {
  const { bytes } = log.read({ since: Math.max(log.start, since, log.end - tailBytes), until: log.end })
  const text = decoder.decode(bytes.subarray(bytes.lastIndexOf(lineFeed) + 1))
  return text.match(writtenOver)?.length ?? 0
}

/** The text of the last line with any, of programs that draw line by line; empty when there is none. */
export function lastLine(log: OutputLog): string {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - tailBytes), until: log.end })
  const lines = decoder
    .decode(bytes)
    .replace(sequences, '')
    .split(/[\r\n]+/)
  return lines.findLast((line) => line.trim() !== '')?.trimEnd() ?? ''
}

/** One row and the cursor in it; after a line feed a fresh row begins, whatever was drawn above. */
class LineModel {
  drawn = false
  #cells: string[] = []
  #col = 0

  get before(): string {
    return this.#text(this.#col)
  }

  get all(): string {
    return this.#text(this.#cells.length)
  }

  put(character: string): void {
    if (character === '\r') this.#col = 0
    else if (character === '\b') this.#col = Math.max(0, this.#col - 1)
    else if (character >= ' ' && character !== '\x7f') {
      while (this.#cells.length < this.#col) this.#cells.push(' ')
      this.#cells[this.#col++] = character
    }
  }

  control(final: string, parameters: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1)
    if (final === 'C') this.#col = Math.min(this.#col + count, columnsMax)
    else if (final === 'D') this.#col = Math.max(0, this.#col - count)
    else if (final === 'G') this.#col = Math.min(count - 1, columnsMax)
    else if (final === 'K' || final === 'J') this.#erase(parameters)
    else if (final === 'P') this.#cells.splice(this.#col, count)
    else if ('ABEFHdf'.includes(final)) this.drawn = true
  }

  #text(end: number): string {
    return this.#cells
      .slice(0, end)
      .map((cell) => cell ?? ' ')
      .join('')
  }

  #erase(parameters: string): void {
    if (parameters === '' || parameters === '0') this.#cells.length = Math.min(this.#cells.length, this.#col)
    else if (parameters === '1') this.#cells.fill(' ', 0, this.#col + 1)
    else if (parameters === '2') this.#cells = []
    if (this.#cells.length > 4_096) this.#cells = []
  }
}
