/** Aliases: text in place of a command’s name, before its words are looked at. */

import type { PolicyState } from '../state/policy-state.ts'
import type { Parts } from './command-parts.ts'

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
