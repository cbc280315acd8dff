/** The line below the program's screen, for a person who is attached: where they are, and which keys are ours. */

import type { Size } from '@agentpty/protocol'
import { goTo } from './window.ts'

/**
 * Our row below the screen costs nothing when the screen and the window differ in rows; else it covers the last row.
 */
export function hasRoomForStatus(window: Size, screen: Size): boolean {
  return window.rows > 2 && window.rows !== screen.rows
}

export interface StatusWords {
  readonly name: string
  readonly prefix: string
  /** The size of the whole screen. */
  readonly screen: Size
  readonly readOnly: boolean
  /** Who may type, where not everybody may. */
  readonly lease: string
}

/** Shown after attaching, until a key is pressed. */
export function welcome({ name, prefix, readOnly }: StatusWords, isNewDaemon: boolean): string {
  const leave = readOnly ? 'ctrl+c leaves' : `${prefix} d leaves   ${prefix} [ looks back   ${prefix} shows all keys`
  return ` ${isNewDaemon ? `the daemon was replaced; ${name} goes on` : `attached to ${name}`}   ${leave} `
}

export function standing({ name, prefix, screen, readOnly, lease }: StatusWords): string {
  const typing = lease === '' ? '' : `   ${lease}`
  return ` ${name}   ${screen.cols}x${screen.rows}${typing}   ${readOnly ? 'read only, ctrl+c goes' : `${prefix}: keys`} `
}

export function keysOf(prefix: string): string {
  return ` ${prefix}  d: leave   t: take over, give back   [: look back, copy   f: fit to this window   s: status line   ${prefix}: send that key   other: go on `
}

/** Draws a text over the whole last row. */
export function drawOverLastRow(words: string, { rows, cols }: Size): string {
  return `${goTo(rows - 1, 0)}\x1b[0;7m${Array.from(words).slice(0, cols).join('').padEnd(cols)}\x1b[0m`
}
