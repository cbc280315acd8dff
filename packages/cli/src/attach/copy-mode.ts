/**
 * Copy mode: moves through the scrollback as it was when copy mode began, searches it, and copies from it by OSC 52.
 * Pure: keys in, a drawing and the copied text out.
 */

import type { Size } from '@agentpty/protocol'
import { keysIn } from './prefix-keys.ts'
import { goTo } from './window.ts'

const usualKeys = 'arrows: move   space: mark   enter: copy   /: search   n, N: next   q: back'
/** The longest text to search for. */
const queryCharactersMax = 200

export type CopyOutcome =
  | { readonly kind: 'goes on' }
  | { readonly kind: 'left' }
  /** The person has left copy mode. */
  | { readonly kind: 'copied'; readonly text: string }
  /** The person has left copy mode and wants the output of this command. */
  | { readonly kind: 'output'; readonly command: CopiedCommand }

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
  readonly #rows: readonly (readonly string[])[]
  readonly #size: Size
  readonly #commands: readonly CopiedCommand[]
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
    else if (key === '/') this.#typedQuery = ''
    else if (key === 'n') this.#find(-1)
    else if (key === 'N') this.#find(1)
    else if (key === '{' || key === '[') this.#toCommand((row) => row < this.#at.row, 'first')
    else if (key === '}' || key === ']') this.#toCommand((row) => row > this.#at.row, 'last')
    else if (key === 'o') return this.#output()
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
  #output(): CopyOutcome {
    const command = this.#commands.findLast(({ row }) => row <= this.#at.row)
    if (command !== undefined) return { kind: 'output', command }
    this.#note = 'no command is known here'
    return goesOn
  }

  #typeQuery(key: string, typed: string): CopyOutcome {
    if (key === '\r') {
      this.#query = typed || this.#query
      this.#typedQuery = null
      this.#find(-1)
    } else if (key === '\x1b' || key === '\x03') this.#typedQuery = null
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

  /** Searches backwards, or forwards; case counts only when the text has capitals. */
  #find(step: -1 | 1): void {
    if (this.#query === '') return
    const ignoresCase = this.#query === this.#query.toLowerCase()
    const folded = (text: string) => (ignoresCase ? text.toLowerCase() : text)
    const count = this.#rows.length
    for (let away = 1; away <= count; away++) {
      const row = (this.#at.row + step * away + count * 2) % count
      const text = (this.#rows[row] ?? []).join('')
      const found = folded(text).indexOf(folded(this.#query))
      if (found < 0) continue
      this.#move({ row, col: Array.from(text.slice(0, found)).length })
      return
    }
    this.#note = `not found: ${this.#query}`
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
    const shown = isHere && characters.length === 0 ? [' '] : characters.slice(left, left + this.#size.cols)
    return shown
      .map((character, index) => {
        const col = left + index
        if (isHere && col === this.#at.col) return `\x1b[0;7;1m${character}\x1b[0m`
        return this.#isSelected({ row, col }) ? `\x1b[0;7m${character}\x1b[0m` : character
      })
      .join('')
  }

  #isSelected(position: Position): boolean {
    if (this.#mark === null) return false
    const [from, to] = inOrder(this.#mark, this.#at)
    return !isBefore(position, from) && !isBefore(to, position)
  }

  #drawFooter(): string {
    const { cols, rows } = this.#size
    const where = `copy ${this.#at.row + 1}/${this.#rows.length}`
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
