/**
 * Copy mode: moves through the scrollback as it was when copy mode began, searches it, and copies from it by OSC 52. A text that it does not
 * have is sought in all kept output, whose rows then replace it. Pure: keys in, a drawing, the copied text and searches out.
 */

import type { Size } from '@agentpty/protocol'
import type { CopySearch, OutputRows } from './copy-search.ts'
import { keysIn } from './prefix-keys.ts'
import { goTo } from './window.ts'

const usualKeys = 'arrows: move   space: mark   enter: copy   / ?: search   n, N: older, newer match   q: back'
/** The longest text to search for. */
const queryCharactersMax = 200

export type CopyOutcome =
  | { readonly kind: 'goes on' }
  | { readonly kind: 'left' }
  /** The person has left copy mode. */
  | { readonly kind: 'copied'; readonly text: string }
  /** The person has left copy mode and wants the output of this command. */
  | { readonly kind: 'output'; readonly command: CopiedCommand }
  /** The text is not in the rows; {@link CopyMode.show} or {@link CopyMode.miss} continues. */
  | { readonly kind: 'search'; readonly search: CopySearch }

/** A command of a shell, by the row at which its prompt begins. */
export interface CopiedCommand {
  readonly row: number
  /** Offset in the log at which its output begins. */
  readonly offset: number
  /** Null while it runs. */
  readonly end: number | null
}

interface Position {
  readonly row: number
  readonly col: number
}

const goesOn: CopyOutcome = { kind: 'goes on' }

export class CopyMode {
  /** The characters of each row. */
  #rows: readonly (readonly string[])[]
  readonly #size: Size
  #commands: readonly CopiedCommand[]
  /** Null while the rows are those of the screen. */
  #output: OutputRows | null = null
  #at: Position
  #top: number
  #mark: Position | null = null
  #typedQuery: string | null = null
  #query = ''
  #note = ''

  /** `screen`: the scrollback and the screen below it; copy mode begins at its end. */
  constructor(screen: string, size: Size, commands: readonly CopiedCommand[] = []) {
    this.#commands = commands
    this.#rows = screen.split('\n').map((row) => Array.from(row))
    this.#size = size
    this.#at = { row: this.#rows.length - 1, col: 0 }
    this.#top = Math.max(0, this.#rows.length - this.#height)
  }

  take(bytes: Uint8Array): CopyOutcome {
    for (const key of keysIn(Buffer.from(bytes).toString('utf8'))) {
      const outcome = this.#typedQuery === null ? this.#press(key) : this.#typeQuery(key, this.#typedQuery)
      if (outcome.kind !== 'goes on') return outcome
    }
    return goesOn
  }

  /** By the wheel: moves the rows, and the cursor as far as it would leave the screen. Further down than the last row leaves copy mode. */
  scroll(rows: number): CopyOutcome {
    const lowest = Math.max(0, this.#rows.length - this.#height)
    if (rows > 0 && this.#top === lowest) return { kind: 'left' }
    this.#note = ''
    this.#top = Math.min(Math.max(0, this.#top + rows), lowest)
    const row = Math.min(Math.max(this.#at.row, this.#top), this.#top + this.#height - 1)
    this.#move({ row, col: this.#at.col })
    return goesOn
  }

  /** Shows rows of the kept output, with the cursor at the text in the line of this offset. */
  show(output: OutputRows, offset: number): void {
    this.#replace(output)
    this.#note = ''
    this.#mark = null
    const row = output.offsets.indexOf(offset)
    const at = this.#rows.findIndex((_, index) => output.offsets[index] === offset && this.#matchIn(index) >= 0)
    const there = Math.max(0, at < 0 ? row : at)
    this.#top = Math.min(
      Math.max(0, there - Math.floor(this.#height / 2)),
      Math.max(0, this.#rows.length - this.#height),
    )
    this.#move({ row: there, col: Math.max(0, this.#matchIn(there)) })
  }

  /** The kept output does not have the text. */
  miss(): void {
    this.#note = `not found: ${this.#query}`
  }

  /** The kept output was not searched, for this reason. */
  fail(reason: string): void {
    this.#note = `not searched: ${reason}`
  }

  /** The rows of the kept output, and the side on which further ones are needed soon; null if none are. */
  get needs(): { readonly output: OutputRows; readonly step: -1 | 1 } | null {
    const output = this.#output
    if (output === null) return null
    if (this.#top < this.#height && output.from > output.start) return { output, step: -1 }
    const isNearEnd = this.#top + 2 * this.#height > this.#rows.length && output.next < output.end
    return isNearEnd ? { output, step: 1 } : null
  }

  /** Replaces the rows by more rows, in which they are. What is visible stays. */
  extend(output: OutputRows, step: -1 | 1): void {
    const added = output.rows.length - this.#rows.length
    this.#replace(output)
    if (step > 0) return
    const shifted = ({ row, col }: Position) => ({ row: row + added, col })
    this.#at = shifted(this.#at)
    this.#top += added
    this.#mark = this.#mark === null ? null : shifted(this.#mark)
  }

  #replace(output: OutputRows): void {
    this.#output = output
    this.#commands = []
    this.#rows = output.rows.map((row) => Array.from(row))
  }

  draw(): string {
    const rows = Array.from({ length: this.#height }, (_, index) => {
      const row = this.#top + index
      return `${goTo(index, 0)}\x1b[0m\x1b[K${this.#rows[row] === undefined ? '' : this.#drawRow(row)}`
    })
    return `\x1b[?25l${rows.join('')}${this.#drawFooter()}`
  }

  get #height(): number {
    return Math.max(1, this.#size.rows - 1)
  }

  #press(key: string): CopyOutcome {
    this.#note = ''
    const move = moves[key]
    if (move !== undefined) this.#move(move(this.#at, this.#height, this.#rows))
    else if (key === ' ' || key === 'v') this.#mark = this.#mark === null ? this.#at : null
    else if (key === '/' || key === '?') this.#typedQuery = ''
    else if (key === 'n') return this.#find(-1)
    else if (key === 'N') return this.#find(1)
    else if (key === '{' || key === '[') this.#toCommand((row) => row < this.#at.row, 'first')
    else if (key === '}' || key === ']') this.#toCommand((row) => row > this.#at.row, 'last')
    else if (key === 'o') return this.#outputOfCommand()
    else if (key === '\r' || key === 'y') return { kind: 'copied', text: this.#selection() }
    else if (key === 'q' || key === '\x1b' || key === '\x03') return { kind: 'left' }
    return goesOn
  }

  /** To the nearest command on that side. */
  #toCommand(isThere: (row: number) => boolean, end: 'first' | 'last'): void {
    const there = this.#commands.filter(({ row }) => isThere(row))
    const command = end === 'first' ? there.at(-1) : there[0]
    if (command === undefined) this.#note = `this is the ${end} command that is known`
    else this.#move({ row: command.row, col: 0 })
  }

  /** Returns the output of the command whose rows contain the cursor. */
  #outputOfCommand(): CopyOutcome {
    const command = this.#commands.findLast(({ row }) => row <= this.#at.row)
    if (command !== undefined) return { kind: 'output', command }
    this.#note = 'no command is known here'
    return goesOn
  }

  #typeQuery(key: string, typed: string): CopyOutcome {
    if (key === '\r') {
      this.#query = typed || this.#query
      this.#typedQuery = null
      return this.#find(-1)
    }
    if (key === '\x1b' || key === '\x03') this.#typedQuery = null
    else if (key === '\x7f' || key === '\b') this.#typedQuery = typed.slice(0, -1)
    else if (key >= ' ' && key !== '\x7f' && !key.startsWith('\x1b'))
      this.#typedQuery = (typed + key).slice(0, queryCharactersMax)
    return goesOn
  }

  #move({ row, col }: Position): void {
    const there = Math.min(Math.max(0, row), this.#rows.length - 1)
    const last = Math.max(0, (this.#rows[there]?.length ?? 0) - 1)
    this.#at = { row: there, col: Math.min(Math.max(0, col), last) }
    if (there < this.#top) this.#top = there
    if (there >= this.#top + this.#height) this.#top = there - this.#height + 1
  }

  /** Searches the rows towards older ones, or newer ones; case counts only when the text has capitals. */
  #find(step: -1 | 1): CopyOutcome {
    if (this.#query === '') return goesOn
    for (let row = this.#at.row + step; row >= 0 && row < this.#rows.length; row += step) {
      const col = this.#matchIn(row)
      if (col < 0) continue
      this.#move({ row, col })
      return goesOn
    }
    this.#note = 'searching all kept output'
    const last = this.#rows.findLastIndex((row) => row.join('').trim() !== '')
    const search = {
      query: this.#query,
      ignoreCase: this.#ignoresCase,
      step,
      at: this.#output?.offsets[this.#at.row] ?? null,
      rowsBelow: Math.max(0, last - this.#at.row),
    }
    return { kind: 'search', search }
  }

  get #ignoresCase(): boolean {
    return this.#query === this.#query.toLowerCase()
  }

  /** The column at which the text begins in a row; -1 without it. */
  #matchIn(row: number, from = 0): number {
    const characters = this.#rows[row] ?? []
    const folded = (text: string) => (this.#ignoresCase ? text.toLowerCase() : text)
    const text = characters.slice(from).join('')
    const found = folded(text).indexOf(folded(this.#query))
    return found < 0 ? -1 : from + Array.from(text.slice(0, found)).length
  }

  /** The columns of all matches in a row. */
  #matchedIn(row: number): ReadonlySet<number> {
    const columns = new Set<number>()
    const length = Array.from(this.#query).length
    if (length === 0) return columns
    for (let at = this.#matchIn(row); at >= 0; at = this.#matchIn(row, at + length))
      for (let col = at; col < at + length; col++) columns.add(col)
    return columns
  }

  /** The text from the mark to the cursor, both included; without a mark, the row. */
  #selection(): string {
    if (this.#mark === null) return (this.#rows[this.#at.row] ?? []).join('').trimEnd()
    const [from, to] = inOrder(this.#mark, this.#at)
    const rows = this.#rows.slice(from.row, to.row + 1).map((row, index) => {
      const begin = index === 0 ? from.col : 0
      const end = from.row + index === to.row ? to.col + 1 : row.length
      return row.slice(begin, end).join('').trimEnd()
    })
    return rows.join('\n')
  }

  #drawRow(row: number): string {
    const characters = this.#rows[row] ?? []
    const isHere = row === this.#at.row
    const left = Math.max(0, this.#at.col - this.#size.cols + 1)
    const matched = this.#matchedIn(row)
    const shown = isHere && characters.length === 0 ? [' '] : characters.slice(left, left + this.#size.cols)
    return shown
      .map((character, index) => {
        const col = left + index
        if (isHere && col === this.#at.col) return `\x1b[0;7;1m${character}\x1b[0m`
        if (this.#isSelected({ row, col })) return `\x1b[0;7m${character}\x1b[0m`
        return matched.has(col) ? `\x1b[0;30;43m${character}\x1b[0m` : character
      })
      .join('')
  }

  #isSelected(position: Position): boolean {
    if (this.#mark === null) return false
    const [from, to] = inOrder(this.#mark, this.#at)
    return !isBefore(position, from) && !isBefore(to, position)
  }

  /** The position in the rows, or else in all kept output. */
  get #where(): string {
    if (this.#output === null) return `copy ${this.#at.row + 1}/${this.#rows.length}`
    const { start, end, offsets } = this.#output
    const share = ((offsets[this.#at.row] ?? end) - start) / Math.max(1, end - start)
    return `copy ${Math.floor(share * 100)}% of all kept output`
  }

  #drawFooter(): string {
    const { cols, rows } = this.#size
    const where = this.#where
    const keys = this.#commands.length === 0 ? usualKeys : `{ }: commands   o: its output   ${usualKeys}`
    const words = this.#typedQuery === null ? ` ${where}   ${this.#note || keys} ` : ` search: ${this.#typedQuery}`
    return `${goTo(rows - 1, 0)}\x1b[0;7m${Array.from(words).slice(0, cols).join('').padEnd(cols)}\x1b[0m`
  }
}

type Move = (at: Position, page: number, rows: readonly (readonly string[])[]) => Position

const up: Move = ({ row, col }) => ({ row: row - 1, col })
const down: Move = ({ row, col }) => ({ row: row + 1, col })
const left: Move = ({ row, col }) => ({ row, col: col - 1 })
const right: Move = ({ row, col }) => ({ row, col: col + 1 })
const pageUp: Move = ({ row, col }, page) => ({ row: row - page, col })
const pageDown: Move = ({ row, col }, page) => ({ row: row + page, col })
const first: Move = () => ({ row: 0, col: 0 })
const last: Move = (_at, _page, rows) => ({ row: rows.length - 1, col: 0 })
const begin: Move = ({ row }) => ({ row, col: 0 })
const end: Move = ({ row }, _page, rows) => ({ row, col: (rows[row]?.length ?? 1) - 1 })

const moves: Readonly<Record<string, Move>> = {
  '\x1b[A': up,
  '\x1bOA': up,
  k: up,
  '\x1b[B': down,
  '\x1bOB': down,
  j: down,
  '\x1b[D': left,
  '\x1bOD': left,
  h: left,
  '\x1b[C': right,
  '\x1bOC': right,
  l: right,
  '\x1b[5~': pageUp,
  '\x15': pageUp,
  '\x02': pageUp,
  '\x1b[6~': pageDown,
  '\x04': pageDown,
  '\x06': pageDown,
  g: first,
  G: last,
  '0': begin,
  '\x1b[H': begin,
  '\x1bOH': begin,
  $: end,
  '\x1b[F': end,
  '\x1bOF': end,
}

const isBefore = (a: Position, b: Position) => a.row < b.row || (a.row === b.row && a.col < b.col)
const inOrder = (a: Position, b: Position): readonly [Position, Position] => (isBefore(b, a) ? [b, a] : [a, b])

/** Puts a text on the clipboard of the terminal we run in, if it lets programs do that. */
export function toClipboard(text: string): string {
  return `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`
}
