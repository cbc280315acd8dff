/** A need with whose it is, and its texts within their bounds. */

import type { Need } from '../../contracts/needs/need.ts'
import { needTextCharactersMax } from '../../contracts/needs/need-limits.ts'
import { commandOf } from '../../contracts/session/command-of.ts'
import type { Session } from '../../engine/session/session.ts'

export interface ScopedNeed {
  readonly need: Need
  /** The id of the scope that it belongs to; null when it belongs to none. */
  readonly scope: string | null
}

export function titleOf({ info }: Session): string {
  return cut(info.name ?? `${info.id}: ${info.shell ?? commandOf(info.argv)}`)
}

/** What is at the end often counts most: of a long text the middle is left out. */
export function cut(text: string): string {
  if (text.length <= needTextCharactersMax) return text
  const half = Math.floor(needTextCharactersMax / 2)
  return `${text.slice(0, half)}\n(${text.length - 2 * half} characters more)\n${text.slice(-half)}`
}
