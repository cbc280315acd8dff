/** Links in a terminal that an emulator draws: hyperlinks of programs (OSC 8), addresses in text, and files with a line. */

import { targetOfCell } from '@agentpty/engine/emulator'
import type { IBufferCell, IBufferCellPosition, ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { linksIn } from './find-links.ts'
import { type LinkTarget, type ShownLink, targetOf } from './link-target.ts'
import { onceEach } from './row-links.ts'

export interface LinkHandlers {
  /** Called with the link below the mouse; null when the mouse leaves it. `isLow`: the link is in the lower half of the view. */
  readonly hovered: (link: ShownLink | null, isLow: boolean) => void
  /** Called after a click on a link with Ctrl, or Cmd on macOS. */
  readonly opened: (link: ShownLink) => void
}

/** Rows above and below that are read as one line with a row. The longest address is shorter. */
const wrappedRowsMax = 30

export class TerminalLinks implements ILinkProvider {
  readonly #terminal: Terminal
  readonly #handlers: LinkHandlers

  constructor(terminal: Terminal, handlers: LinkHandlers) {
    this.#terminal = terminal
    this.#handlers = handlers
    terminal.registerLinkProvider(this)
  }

  provideLinks(row: number, callback: (links: ILink[] | undefined) => void): void {
    callback(
      linksAround(this.#terminal, row - 1).map(({ begin, end, ...link }) => ({
        range: { start: begin, end },
        text: link.text,
        activate: (event) => {
          if (event.ctrlKey || event.metaKey) this.#handlers.opened(link)
        },
        hover: () => this.#handlers.hovered(link, this.#isLow(begin.y)),
        leave: () => this.#handlers.hovered(null, false),
      })),
    )
  }

  /** The links of the visible rows, each target once. */
  visible(): readonly ShownLink[] {
    const { rows, buffer } = this.#terminal
    const { viewportY } = buffer.active
    const visible = Array.from({ length: rows }, (_, row) => linksAround(this.#terminal, viewportY + row))
    return onceEach(visible.flat().map(({ text, target }) => ({ text, target })))
  }

  #isLow(row: number): boolean {
    return row - this.#terminal.buffer.active.viewportY > this.#terminal.rows / 2
  }
}

export interface PlacedLink extends ShownLink {
  /** The cells of its first and its last character, from 1. */
  readonly begin: IBufferCellPosition
  readonly end: IBufferCellPosition
}

type Screen = Pick<Terminal, 'buffer'>

/** Returns the links of the line that a row belongs to. `row`: from 0, in the buffer. */
export function linksAround(terminal: Screen, row: number): readonly PlacedLink[] {
  const line = lineAround(terminal, row)
  const marked = markedLinks(line)
  const isTaken = (index: number) => marked.some(({ from, to }) => index >= from && index < to)
  const named = linksIn(line.text)
    .filter(({ start, length }) => !isTaken(start) && !isTaken(start + length - 1))
    .map(({ start, length, target }) => ({ from: start, to: start + length, target }))
  return [...marked, ...named].flatMap(({ from, to, target }) => {
    const [first, last] = [line.cells[from], line.cells[to - 1]]
    if (first === undefined || last === undefined) return []
    const { x, y } = last
    return [{ text: line.text.slice(from, to), target, begin: { x: first.x, y: first.y }, end: { x, y } }]
  })
}

interface CellOfText extends IBufferCellPosition {
  /** The target that the program has given; null without one. */
  readonly link: string | null
}

interface LineText {
  readonly text: string
  /** The cell of each character of the text. */
  readonly cells: readonly CellOfText[]
}

/** The text of a row and of those that continue it, or that it continues. */
function lineAround(terminal: Screen, row: number): LineText {
  const { active } = terminal.buffer
  let first = row
  while (first > row - wrappedRowsMax && active.getLine(first)?.isWrapped === true) first -= 1
  let last = row
  while (last < row + wrappedRowsMax && active.getLine(last + 1)?.isWrapped === true) last += 1
  let text = ''
  const cells: CellOfText[] = []
  let cell: IBufferCell | undefined
  for (let at = first; at <= last; at += 1) {
    const line = active.getLine(at)
    for (let col = 0; col < (line?.length ?? 0); col += 1) {
      cell = line?.getCell(col, cell)
      // The right half of a wide character belongs to its left half.
      if (cell === undefined || cell.getWidth() === 0) continue
      const characters = cell.getChars() || ' '
      const place = { x: col + 1, y: at + 1, link: targetOfCell(terminal, cell) }
      text += characters
      for (let count = 0; count < characters.length; count += 1) cells.push(place)
    }
  }
  return { text, cells }
}

/** The hyperlinks of programs: neighbouring cells with the same target. */
function markedLinks({ cells }: LineText): readonly { from: number; to: number; target: LinkTarget }[] {
  const links: { from: number; to: number; target: LinkTarget }[] = []
  for (let at = 0; at < cells.length; ) {
    const link = cells[at]?.link ?? null
    let end = at + 1
    while (end < cells.length && cells[end]?.link === link) end += 1
    if (link !== null) links.push({ from: at, to: end, target: targetOf(link) })
    at = end
  }
  return links
}
