/**
 * What the emulator would do or keep without end because a program says so, and where it stops here.
 *
 * Programs that mean well never notice: no character that is written has more parts, and no sequence that is sent counts
 * farther than a screen is wide.
 */

import type { Terminal } from '@xterm/headless'
import { clusterCharactersMax, columnsMax } from '../../contracts/limits.ts'

export function boundEmulator(terminal: Terminal): void {
  refuseEndlessRepeats(terminal)
  forgetLinks(terminal)
  boundClusters(terminal)
}

/**
 * The emulator repeats these as often as it is told, up to two thousand million times: eleven bytes of output would
 * occupy us for hours, or end us. No program means more than there are columns.
 */
function refuseEndlessRepeats({ parser }: Terminal): void {
  for (const final of ['I', 'L', 'M', 'S', 'T', 'Z', 'b']) {
    parser.registerCsiHandler({ final }, ([count]) => typeof count === 'number' && count > columnsMax)
  }
}

/** It keeps each link with a marker that every later line must move. Nobody asks for them: their text is what counts. */
function forgetLinks({ parser }: Terminal): void {
  parser.registerOscHandler(8, () => true)
}

interface Line {
  readonly _combined: { [column: number]: string }
  addCodepointToCell(column: number, codePoint: number, width: number): void
}

interface Internals {
  readonly _core?: { readonly buffer?: { readonly lines?: { get(at: number): Line | undefined } } }
}

/** Prototypes of lines that are bounded already; there is one for all terminals. */
const bounded = new WeakSet<object>()

/** Marks that are put on a character without end become one string without end: what is too much for a cell is dropped. */
function boundClusters(terminal: Terminal): void {
  const line = (terminal as Internals)._core?.buffer?.lines?.get(0)
  const prototype: unknown = line && Object.getPrototypeOf(line)
  if (!isLine(prototype) || bounded.has(prototype)) return
  bounded.add(prototype)
  const add = prototype.addCodepointToCell
  prototype.addCodepointToCell = function (column, codePoint, width) {
    const before = this._combined[column]
    if (before !== undefined && before.length >= clusterCharactersMax) return
    add.call(this, column, codePoint, width)
    // Asked for a character, a string that was joined is made one piece: its parts need not be kept.
    if (before !== undefined) this._combined[column]?.charCodeAt(0)
  }
}

function isLine(prototype: unknown): prototype is Line {
  return typeof prototype === 'object' && prototype !== null && 'addCodepointToCell' in prototype
}
