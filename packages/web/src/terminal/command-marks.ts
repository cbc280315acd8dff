/**
 * Marks the commands of a shell at the rows of their prompts, coloured by their outcome. The snapshot contains earlier commands. Later ones are
 * found in the output, with the offsets of their own output.
 */

import type { FollowedSnapshot, SessionEvent } from '@agentpty/protocol/session'
import { computed, signal } from '@preact/signals'
import type { IDecoration, IMarker, Terminal } from '@xterm/xterm'
import { type ShellMark, ShellMarks } from './shell-marks.ts'

export interface MarkedCommand {
  readonly marker: IMarker
  /** The offset of its output in the log; null if unknown. */
  readonly offset: number | null
  /** The end of its output; null while it runs or if unknown. */
  readonly end: number | null
  readonly exitCode: number | null
  readonly isRunning: boolean
}

/** The number of commands that the daemon tracks, too. */
const marksMax = 200

export class CommandMarks {
  readonly #terminal: Terminal
  readonly #picked: (command: MarkedCommand) => void
  readonly #scan = new ShellMarks()
  readonly #list = signal<readonly MarkedCommand[]>([])
  readonly #decorations = new Map<IMarker, IDecoration>()
  /** Marks found in output that is not drawn yet, each with its offsets. */
  #pendingMarks: ShellMark[] = []
  #prompt: IMarker | null = null
  /** The last command; null before the first. */
  readonly last = computed(() => this.#list.value.at(-1) ?? null)

  /** `picked`: called after a click on a command. */
  constructor(terminal: Terminal, picked: (command: MarkedCommand) => void) {
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
      const marker = this.#markerAt(rowsUp)
      if (marker !== null) this.#add({ marker, offset, end, exitCode, isRunning: end === null })
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

  /** Scrolls to the command before or after the visible rows. */
  go(step: -1 | 1): void {
    const { viewportY } = this.#terminal.buffer.active
    const lines = this.#list.value.map(({ marker }) => marker.line).filter((line) => line >= 0)
    const to = step < 0 ? lines.findLast((line) => line < viewportY) : lines.find((line) => line > viewportY)
    if (to !== undefined) this.#terminal.scrollToLine(to)
    else if (step > 0) this.#terminal.scrollToBottom()
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
    this.#add({ marker, offset, end: null, exitCode: null, isRunning: true })
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
    for (const { marker } of dropped) marker.dispose()
    command.marker.onDispose(() => {
      this.#decorations.delete(command.marker)
      this.#list.value = this.#list.value.filter(({ marker }) => marker !== command.marker)
    })
    this.#decorate(command)
  }

  #decorate(command: MarkedCommand): void {
    const { marker } = command
    this.#decorations.get(marker)?.dispose()
    const decoration = this.#terminal.registerDecoration({ marker, width: 1 })
    if (decoration === undefined) return
    this.#decorations.set(marker, decoration)
    decoration.onRender((element) => {
      element.className = `xterm-decoration command-mark ${toneOf(command)}`
      element.title = `${wordsOf(command)} Click to copy its output.`
      element.onclick = () => this.#picked(this.#list.value.find((one) => one.marker === marker) ?? command)
    })
  }

  #clear(): boolean {
    const all = this.#list.value
    this.#list.value = []
    for (const { marker } of all) marker.dispose()
    this.#prompt?.dispose()
    this.#prompt = null
    return false
  }
}

function toneOf({ isRunning, exitCode }: MarkedCommand): string {
  if (isRunning) return 'running'
  return exitCode === null || exitCode === 0 ? 'good' : 'failed'
}

function wordsOf({ isRunning, exitCode }: MarkedCommand): string {
  if (isRunning) return 'It runs.'
  return exitCode === null ? 'It has ended.' : `Exit code ${exitCode}.`
}
