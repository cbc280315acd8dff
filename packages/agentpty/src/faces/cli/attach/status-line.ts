/** The line below the program's screen, for a person who is attached: where they are, and which keys are ours. */

import type { Size } from '../../../contracts/units.ts'
import { goTo } from './window.ts'

/** A row of our own below the screen costs nothing where the screen has other rows than the window, and else its last one. */
export function hasRoomForStatus(window: Size, screen: Size): boolean {
  return window.rows > 2 && window.rows !== screen.rows
}

export interface StatusWords {
  readonly name: string
  readonly prefix: string
  /** Of the whole screen. */
  readonly screen: Size
  readonly readOnly: boolean
}

/** Shown when one sits down, until a key is pressed. */
export function welcome({ name, prefix, readOnly }: StatusWords, isNewDaemon: boolean): string {
  const leave = readOnly ? 'ctrl+c leaves' : `${prefix} d leaves   ${prefix} [ looks back   ${prefix} shows all keys`
  return ` ${isNewDaemon ? `the daemon was replaced; ${name} goes on` : `attached to ${name}`}   ${leave} `
}

export function standing({ name, prefix, screen, readOnly }: StatusWords): string {
  return ` ${name}   ${screen.cols}x${screen.rows}   ${readOnly ? 'read only, ctrl+c goes' : `${prefix}: keys`} `
}

export function keysOf(prefix: string): string {
  return ` ${prefix}  d: leave   [: look back, copy   f: fit to this window   s: status line   ${prefix}: send that key   other: go on `
}

/** Words over the whole last row. */
export function drawOverLastRow(words: string, { rows, cols }: Size): string {
  return `${goTo(rows - 1, 0)}\x1b[0;7m${Array.from(words).slice(0, cols).join('').padEnd(cols)}\x1b[0m`
}
