/** A need with whose it is, and its texts within their bounds. */

import { basename } from 'node:path'
import type { Session } from '@agentpty/engine/session'
import { type Need, needTextCharactersMax } from '@agentpty/protocol/needs'
import { commandOf } from '@agentpty/protocol/session'

export interface ScopedNeed {
  readonly need: Need
  /** The id of the scope that it belongs to; null when it belongs to none. */
  readonly scope: string | null
}

export function titleOf({ info }: Session): string {
  return cut(info.name ?? `${info.id}: ${info.shell ?? commandOf(info.argv)}`)
}

/** Shortens a long text in the middle, because its end often counts most. */
export function cut(text: string): string {
  if (text.length <= needTextCharactersMax) return text
  const half = Math.floor(needTextCharactersMax / 2)
  return `${text.slice(0, half)}\n(${text.length - 2 * half} characters more)\n${text.slice(-half)}`
}

// The name of the program in the foreground, for persons.

/** Some runtimes give the first thread a name of its own, and the kernel reports that for the process. */
const threadName = /^(?:.+-)?MainThread$/

type Named = {
  readonly info: Pick<Session['info'], 'argv' | 'shell'>
  readonly commands: { readonly current: { readonly line: string | null } | null }
  readonly program: { readonly foreground: { readonly name: string } }
}

/** Empty where it is not known. */
export function programNameOf({ info, commands, program }: Named): string {
  const { name } = program.foreground
  if (!threadName.test(name)) return name
  const typed = commands.current?.line?.trim().split(/\s+/)[0]
  return basename(typed ?? (info.shell === null ? (info.argv[0] ?? '') : ''))
}
