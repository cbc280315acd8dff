/** The position of a part in a program, and the data gathered over the whole program. */

import type { PolicyState } from '../state/policy-state.ts'
import type { Parts } from './command-parts.ts'
import type { Bounds, Current, Findings, Sinks } from './findings.ts'
import { nothing, type Stream } from './value.ts'

export interface Gathered {
  readonly ignoresCase: boolean
  readonly findings: Findings
  readonly bounds: Bounds
  readonly sinks: Sinks
}

export interface Scope {
  readonly current: Current
  readonly depth: number
  /** The number of levels that run in the background or in a pipeline. */
  readonly detached: number
  readonly running: Running | null
  readonly input: Stream
}

export const top: Scope = {
  current: { named: [], words: [] },
  depth: 0,
  detached: 0,
  running: null,
  input: nothing,
}

/** A function or script that is at work, to know when it starts itself. */
interface Running extends Pick<Scope, 'detached'> {
  readonly name: string
  readonly outer: Running | null
}

export function findRunning({ running }: Scope, name: string): Running | null {
  let found = running
  while (found !== null && found.name !== name) found = found.outer
  return found
}

// Aliases: text that replaces a command's name before its words are read.

interface Aliases {
  readonly state: PolicyState
  /** An alias is not expanded within itself. */
  readonly isRunning: (name: string) => boolean
}

/** The command with its alias put in; null when its name is none. */
export function aliasText(
  { name, end }: Parts,
  source: string,
  shell: Aliases,
): { readonly name: string; readonly text: string } | null {
  const { aliases, globalAliases } = shell.state
  if (name === undefined || (aliases.size === 0 && globalAliases.size === 0)) return null
  const key = name.text
  const rest = source.slice(name.end, end)
  const body = shell.isRunning(`alias ${key}`) ? undefined : aliases.get(key)
  if (body !== undefined) {
    const next = /^\s*([\w.-]+)/.exec(rest)
    const follows = /\s$/.test(body) && next !== null ? aliases.get(next[1] ?? '') : undefined
    return {
      name: key,
      text: `${body}${follows === undefined ? rest : ` ${follows}${rest.slice(next?.[0].length)}`}`,
    }
  }
  for (const [global, text] of globalAliases) {
    const words = source.slice(name.pos, end).split(' ')
    if (words.includes(global) && !shell.isRunning(`alias ${global}`))
      return { name: global, text: words.map((word) => (word === global ? text : word)).join(' ') }
  }
  return null
}
