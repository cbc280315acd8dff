/** The rows of the newest commands' prompts, as the emulator moves them. */

import { commandsMax } from '@agentpty/protocol'
import { c1InLatin1, csiParameters, stringEnd } from '@agentpty/protocol/escapes'
import type { IMarker } from '@xterm/headless'
import { linkReader, type ShownLinks } from './links.ts'
import { writeRuns } from './screen-ansi.ts'
import type { Skim } from './skim.ts'
import { styledRuns, type Terminal } from './terminal.ts'

export class CommandRows {
  readonly #terminal: Terminal
  /** The marker of the prompt at which no command has started. */
  #prompt: IMarker | null = null
  #begun: IMarker[] = []

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    const { parser } = terminal
    for (const number of [133, 633]) parser.registerOscHandler(number, (data) => this.#mark(data))
    // A reset does not dispose the markers of the buffer that it discards.
    parser.registerEscHandler({ final: 'c' }, () => this.#forget())
  }

  /** The oldest first, counted from the oldest row that is kept; null for those whose row is gone. */
  get rows(): readonly (number | null)[] {
    return this.#begun.map(rowOf)
  }

  /** The row of the prompt at which no command has started; null without one. */
  get prompt(): number | null {
    return this.#prompt === null ? null : rowOf(this.#prompt)
  }

  #mark(data: string): boolean {
    const [letter] = data.split(';', 1)
    if (letter === 'A') {
      this.#prompt?.dispose()
      this.#prompt = this.#terminal.registerMarker(0) ?? null
    }
    if (letter === 'C') this.#begin()
    return false
  }

  #begin(): void {
    const marker = this.#prompt ?? this.#terminal.registerMarker(0)
    this.#prompt = null
    if (marker === undefined) return
    this.#begun.push(marker)
    if (this.#begun.length > commandsMax + 1) this.#begun.shift()?.dispose()
  }

  #forget(): boolean {
    for (const marker of [...this.#begun, ...(this.#prompt === null ? [] : [this.#prompt])]) marker.dispose()
    this.#begun = []
    this.#prompt = null
    return false
  }
}

const rowOf = ({ line, isDisposed }: IMarker): number | null => (isDisposed || line < 0 ? null : line)

interface WantedRows {
  readonly top: number
  readonly cols: number
  readonly most: number
  readonly links?: ShownLinks | null
}

/** The rows of a terminal that have passed above a window onto it, each once. They make up the scrollback of the window. */
export class PassedRows {
  readonly #terminal: Terminal
  /** The first row that has not passed; null where it is unknown, which is so when many have passed together. */
  #next: IMarker | null = null

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** `top`: where the window begins in the viewport now. The newest ones, oldest first; none of an alternate screen. */
  take({ top, cols, most, links = null }: WantedRows): readonly string[] {
    const { active } = this.#terminal.buffer
    if (active.type === 'alternate') return []
    const until = active.baseY + top
    const known = this.#known(active.baseY + this.#terminal.rows, until)
    if (known > until) return []
    this.#next?.dispose()
    this.#next = this.#terminal.registerMarker(until - active.baseY - active.cursorY) ?? null
    const first = Math.max(known, until - most)
    const linkOf = linkReader(this.#terminal, links)
    return Array.from({ length: until - first }, (_, row) => {
      const line = active.getLine(first + row)
      return line === undefined ? '' : writeRuns(styledRuns(line, { until: cols, linkOf }))
    })
  }

  /** A reset leaves the markers of the buffer that it throws away as they were. */
  #known(rowCount: number, until: number): number {
    if (this.#next === null || this.#next.isDisposed || this.#next.line < 0) return 0
    return this.#next.line > rowCount ? until : this.#next.line
  }

  dispose(): void {
    this.#next?.dispose()
  }
}

// Finds output that leaves no trace because of later output: everything before a reset except the last title, and repetitions
// of a sequence that is needed only once. Programs that only do this would cost a whole screen every few bytes.

/** Smaller pieces are played whole. */
const overwrittenBytesMin = 1_024

/** A whole title: a reset keeps it, and of many only the last one stays. A longer one, or one with other bytes, is drawn. */
const title = String.raw`\][02];[\x20-\x7e\x80-\xc1\xc3-\xff]{0,4096}${stringEnd}`

/** Sequences that a reset does not undo, and those that may want an answer. */
const lasting = new RegExp(
  String.raw`\x1b(?:(?!${title})\](?:\d|1\d);|[PX^_Z]|\[${csiParameters}[cnptqux])|\x05|${c1InLatin1}`,
)
const lastTitle = new RegExp(String.raw`\x1b${title}`, 'y')

/** Runs of one sequence, where the last is enough; the alternate screen is emptied whatever was written on it. */
const runs: readonly RegExp[] = [
  /(?:\x1b#8)*(?=\x1b#8)/y,
  /(?:\x1b\[\?1049h[\x20-\x7e\r\n]*\x1b\[\?1049l)*(?=\x1b\[\?1049h[\x20-\x7e\r\n]*\x1b\[\?1049l)/y,
  /(?:\x1b\[2J)*(?=\x1b\[2J)/y,
  /(?:\x1b\[H\x1b\[2J)*(?=\x1b\[H\x1b\[2J)/y,
]

/** This much is searched first: what can be passed over is close together. */
const frontBytes = 256
const front = /\x1b(?:c|#8|\[\?1049h|\[2J|\[H\x1b|\][02];)/

/** Returns the part of the front that can be passed over; null when none can. No sequence may be open. */
export function overwritten(bytes: Uint8Array): Skim | null {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!front.test(source.toString('latin1', 0, frontBytes))) return null
  const text = source.toString('latin1')
  const reset = beforeReset(text)
  const end = Math.max(reset, ...runs.map((run) => lengthOf(run, text)))
  if (end < overwrittenBytesMin) return null
  return { bytes: end, residue: end === reset ? titleBefore(text, end) : '' }
}

/** Index of the last reset before which nothing lasts; -1 without one. */
function beforeReset(text: string): number {
  const lasts = text.search(lasting)
  return text.lastIndexOf('\x1bc', lasts < 0 ? text.length : lasts)
}

/** The last title before `end`, as it was written; empty without one. */
function titleBefore(text: string, end: number): string {
  const at = Math.max(text.lastIndexOf('\x1b]0;', end - 1), text.lastIndexOf('\x1b]2;', end - 1))
  if (at < 0) return ''
  lastTitle.lastIndex = at
  return lastTitle.exec(text)?.[0] ?? ''
}

function lengthOf(run: RegExp, text: string): number {
  run.lastIndex = 0
  return run.exec(text)?.[0].length ?? 0
}
