/**
 * Marks the commands of a shell at the rows of their prompts, coloured by their outcome. The snapshot contains earlier commands. Later ones are
 * found in the output, with the offsets of their own output.
 */

import type { FollowedSnapshot, SessionEvent } from '@agentpty/protocol/session'
import { computed, signal } from '@preact/signals'
import type { IDecoration, IMarker, Terminal } from '@xterm/xterm'
import { type ShellMark, ShellMarks } from './shell-marks.ts'

export interface MarkedCommand {
  /** Its row in the emulator; null for a command above the rows of the emulator. */
  readonly marker: IMarker | null
  /** The offset of its output in the log; null if unknown. */
  readonly offset: number | null
  /** The end of its output; null while it runs or if unknown. */
  readonly end: number | null
  readonly exitCode: number | null
  readonly isRunning: boolean
  /** Its prompt and what was typed, as they were drawn; empty while unknown. */
  readonly line: string
}

/** Longer rows are cut. */
const lineCharactersMax = 300
/** A prompt may have several rows, and a long command wraps. */
const typedRowsMax = 12

/** The number of commands that the daemon tracks, too. */
const marksMax = 200

export class CommandMarks {
  readonly #terminal: Terminal
  readonly #picked: (command: MarkedCommand, event: MouseEvent) => void
  readonly #scan = new ShellMarks()
  readonly #list = signal<readonly MarkedCommand[]>([])
  readonly #decorations = new Map<IMarker, IDecoration>()
  /** Marks found in output that is not drawn yet, each with its offsets. */
  #pendingMarks: ShellMark[] = []
  #prompt: IMarker | null = null
  /** The last command; null before the first. */
  readonly last = computed(() => this.#list.value.at(-1) ?? null)

  /** `picked`: called after a click on a command. */
  constructor(terminal: Terminal, picked: (command: MarkedCommand, event: MouseEvent) => void) {
    this.#terminal = terminal
    this.#picked = picked
    for (const number of [133, 633]) terminal.parser.registerOscHandler(number, (data) => this.#mark(data))
    terminal.parser.registerEscHandler({ final: 'c' }, () => this.#clear())
  }

  /** To be called with each event before it is written. */
  beforeWrite(event: SessionEvent): void {
    if (event.type !== 'output') return
    // Masking changes the length of the text, so no offset in it is known.
    const isExact = event.bytes.length === event.next - event.offset
    this.#pendingMarks.push(...this.#scan.take(event.bytes, isExact ? event.offset : null))
  }

  /** To be called after a snapshot is drawn. */
  drawn({ commands, promptUp }: FollowedSnapshot): void {
    this.#scan.forget()
    if (this.#terminal.buffer.active.type !== 'normal') return
    for (const { rowsUp, offset, end, exitCode } of commands) {
      const marker = rowsUp === null ? null : this.#markerAt(rowsUp)
      const line = marker === null ? '' : this.#lineAt(marker)
      this.#add({ marker, offset, end, exitCode, isRunning: end === null, line })
    }
    if (promptUp !== null) this.#prompt = this.#markerAt(promptUp)
  }

  /** Returns null if the row was not drawn. */
  #markerAt(rowsUp: number): IMarker | null {
    const { baseY, cursorY } = this.#terminal.buffer.normal
    const row = baseY + this.#terminal.rows - 1 - rowsUp
    return row < 0 ? null : this.#terminal.registerMarker(row - (baseY + cursorY))
  }

  /** The newest command whose output can be read. */
  readonly toCopy = computed(() => this.#list.value.findLast(({ offset }) => offset !== null) ?? null)

  /** Returns the command whose output the first visible row of the emulator belongs to; null if its prompt is visible. */
  atTop(): MarkedCommand | null {
    const { viewportY } = this.#terminal.buffer.active
    const last = this.#list.value.findLast((one) => rowOf(one) >= 0 && rowOf(one) <= viewportY)
    const isBehind =
      last?.isRunning === false && this.#prompt !== null && this.#prompt.line >= 0 && this.#prompt.line <= viewportY
    return last === undefined || rowOf(last) === viewportY || isBehind ? null : last
  }

  /** The offset of the output of the oldest command that the emulator has; infinite without one. */
  oldestDrawn(): number {
    return this.#list.value.find((one) => rowOf(one) >= 0 && one.offset !== null)?.offset ?? Number.POSITIVE_INFINITY
  }

  /** Returns the command whose output contains this offset. */
  containing(offset: number): MarkedCommand | null {
    return (
      this.#list.value.find(
        (one) => one.offset !== null && one.offset <= offset && offset < (one.end ?? Number.POSITIVE_INFINITY),
      ) ?? null
    )
  }

  /** Returns the newest command whose output begins before the offset `before`, or the oldest whose output begins after `after`. */
  neighbour(
    step: -1 | 1,
    { before, after }: { readonly before: number; readonly after: number },
  ): MarkedCommand | null {
    const known = this.#list.value.filter(({ offset }) => offset !== null)
    if (step < 0) return known.findLast(({ offset }) => (offset ?? 0) < before) ?? null
    return known.find(({ offset }) => (offset ?? 0) > after) ?? null
  }

  /** Scrolls to the command before or after the visible rows of the emulator. Returns false if it has none there. */
  go(step: -1 | 1): boolean {
    const { viewportY } = this.#terminal.buffer.active
    const lines = this.#list.value.map(rowOf).filter((line) => line >= 0)
    const to = step < 0 ? lines.findLast((line) => line < viewportY) : lines.find((line) => line > viewportY)
    if (to !== undefined) this.#terminal.scrollToLine(to)
    else if (step > 0) this.#terminal.scrollToBottom()
    return to !== undefined || step > 0
  }

  /** The rows from a prompt to the cursor, below which the output begins. */
  #typedAt({ line }: IMarker): string {
    const { baseY, cursorY } = this.#terminal.buffer.active
    const rows = Array.from({ length: Math.min(typedRowsMax, baseY + cursorY - line) }, (_, at) => line + at)
    const text = rows
      .map((row) => this.#terminal.buffer.active.getLine(row))
      .map((row) => `${row?.isWrapped ? '' : ' '}${row?.translateToString(true) ?? ''}`)
    return text.join('').trim().slice(0, lineCharactersMax) || this.#lineAt({ line })
  }

  #lineAt({ line }: Pick<IMarker, 'line'>): string {
    const row = this.#terminal.buffer.active.getLine(line)?.translateToString(true) ?? ''
    return row.trim().slice(0, lineCharactersMax)
  }

  #mark(data: string): boolean {
    const [letter = '', code = ''] = data.split(';', 2)
    if (letter === 'A') {
      this.#prompt?.dispose()
      this.#prompt = this.#terminal.registerMarker(0)
    }
    if (letter === 'C' || letter === 'D') {
      const at = this.#pendingMarks.findIndex((mark) => mark.letter === letter)
      const [mark] = at < 0 ? [] : this.#pendingMarks.splice(0, at + 1).slice(-1)
      if (letter === 'C') this.#begin(mark?.end ?? null)
      else this.#finish(mark?.offset ?? null, /^\d{1,10}$/.test(code) ? Number(code) : null)
    }
    return false
  }

  #begin(offset: number | null): void {
    const marker = this.#prompt ?? this.#terminal.registerMarker(0)
    this.#prompt = null
    this.#add({ marker, offset, end: null, exitCode: null, isRunning: true, line: this.#typedAt(marker) })
  }

  #finish(end: number | null, exitCode: number | null): void {
    const last = this.#list.value.at(-1)
    if (last?.isRunning !== true) return
    const ended = { ...last, end, exitCode, isRunning: false }
    this.#list.value = [...this.#list.value.slice(0, -1), ended]
    this.#decorate(ended)
  }

  #add(command: MarkedCommand): void {
    const dropped = this.#list.value.slice(0, -(marksMax - 1))
    this.#list.value = [...this.#list.value.slice(-(marksMax - 1)), command]
    for (const { marker } of dropped) marker?.dispose()
    const { marker } = command
    // The command stays in the list: its output may be kept, and is shown above the rows of the emulator.
    marker?.onDispose(() => this.#decorations.delete(marker))
    this.#decorate(command)
  }

  #decorate(command: MarkedCommand): void {
    const { marker } = command
    if (marker === null) return
    this.#decorations.get(marker)?.dispose()
    const decoration = this.#terminal.registerDecoration({ marker, width: 1 })
    if (decoration === undefined) return
    this.#decorations.set(marker, decoration)
    decoration.onRender((element) => {
      element.className = `xterm-decoration command-mark ${toneOf(command)}`
      element.title = `${wordsOf(command)} Click to copy its output, with Shift as Markdown.`
      element.onclick = (event) => this.#picked(this.#list.value.find((one) => one.marker === marker) ?? command, event)
    })
  }

  #clear(): boolean {
    const all = this.#list.value
    this.#list.value = []
    for (const { marker } of all) marker?.dispose()
    this.#prompt?.dispose()
    this.#prompt = null
    return false
  }
}

/** Its row in the emulator; -1 for a command above the rows of the emulator. */
export const rowOf = ({ marker }: MarkedCommand): number => marker?.line ?? -1

export function toneOf({ isRunning, exitCode }: MarkedCommand): string {
  if (isRunning) return 'running'
  return exitCode === null || exitCode === 0 ? 'good' : 'failed'
}

export function wordsOf({ isRunning, exitCode }: MarkedCommand): string {
  if (isRunning) return 'It runs.'
  return exitCode === null ? 'It has ended.' : `Exit code ${exitCode}.`
}
