/**
 * Bounds for what a program could make the emulator do or keep without end.
 *
 * Well-behaved programs never notice: no real character has more parts, and no real sequence counts farther than a
 * screen is wide.
 */

import { clusterCharactersMax, columnsMax } from '@agentpty/protocol'
import type { Dropped } from '@agentpty/protocol/session'
import type { Terminal } from '@xterm/headless'
import { keepLinks } from './links.ts'

/** An emulator of the engine, or one in a browser. */
type Bounded = Pick<Terminal, 'parser'>

/** Bounds what programs can make the emulator do. Counts what is left out in `dropped`. */
export function boundEmulator(terminal: Bounded, dropped: Dropped): void {
  refuseEndlessRepeats(terminal, dropped)
  keepLinks(terminal, dropped)
  boundClusters(terminal)
  countClusters(terminal, dropped)
  eraseInsideOnly(terminal)
}

/**
 * Where the cursor waits to wrap on the last row, erasing up to it reaches for the row below, which is none while there is no
 * scrollback: the emulator throws, which would end us. A row is there for that time.
 */
function eraseInsideOnly(terminal: Bounded): void {
  const core = (terminal as Internals)._core
  const handler = core?._inputHandler
  if (handler?.eraseInDisplay === undefined) return
  const erase = handler.eraseInDisplay.bind(handler)
  handler.eraseInDisplay = (sequence, ...rest) => {
    const { lines, y = 0 } = core?.buffer ?? {}
    const last = lines?.get(y)
    const isMissing = sequence.params[0] === 1 && lines?.get(y + 1) === undefined
    if (lines === undefined || last === undefined || !isMissing) return erase(sequence, ...rest)
    lines.push(last.clone())
    const done = erase(sequence, ...rest)
    lines.pop()
    return done
  }
}

/**
 * The emulator repeats these as often as the sequence says, up to two thousand million times: eleven bytes of output would
 * occupy us for hours, or end us. No program means more than there are columns.
 */
function refuseEndlessRepeats({ parser }: Bounded, dropped: Dropped): void {
  for (const final of ['I', 'L', 'M', 'S', 'T', 'Z', 'b']) {
    parser.registerCsiHandler({ final }, ([count]) => {
      if (typeof count !== 'number' || count <= columnsMax) return false
      dropped.repeats += 1
      return true
    })
  }
}

interface Line {
  readonly _combined: { [column: number]: string }
  clone(): Line
  addCodepointToCell(column: number, codePoint: number, width: number): void
}

interface Lines {
  get(at: number): Line | undefined
  push(line: Line): void
  pop(): Line | undefined
}

interface Internals {
  readonly _core?: {
    readonly buffer?: { readonly lines?: Lines; readonly y?: number }
    readonly _inputHandler?: {
      parse(...input: readonly unknown[]): unknown
      eraseInDisplay?(sequence: { readonly params: ArrayLike<number> }, ...rest: readonly unknown[]): boolean
    }
  }
}

/** Prototypes of lines that are bounded already; there is one for all terminals. */
const bounded = new WeakSet<object>()
/** The counts of the terminal that is being drawn on: a line does not know its terminal. */
let drawn: Dropped | null = null

/** A character with ever more combining marks would become an endless string: the marks beyond a cell's bound are dropped. */
function boundClusters(terminal: Bounded): void {
  const line = (terminal as Internals)._core?.buffer?.lines?.get(0)
  const prototype: unknown = line && Object.getPrototypeOf(line)
  if (!isLine(prototype) || bounded.has(prototype)) return
  bounded.add(prototype)
  const add = prototype.addCodepointToCell
  prototype.addCodepointToCell = function (column, codePoint, width) {
    const before = this._combined[column]
    if (before !== undefined && before.length >= clusterCharactersMax) {
      if (drawn !== null) drawn.characters += 1
      return
    }
    add.call(this, column, codePoint, width)
    // Reading a character makes a joined string one piece, so that its parts need not be kept.
    if (before !== undefined) this._combined[column]?.charCodeAt(0)
  }
}

function countClusters(terminal: Bounded, dropped: Dropped): void {
  const handler = (terminal as Internals)._core?._inputHandler
  if (handler?.parse === undefined) return
  const parse = handler.parse.bind(handler)
  handler.parse = (...input) => {
    drawn = dropped
    return parse(...input)
  }
}

function isLine(prototype: unknown): prototype is Line {
  return typeof prototype === 'object' && prototype !== null && 'addCodepointToCell' in prototype
}
