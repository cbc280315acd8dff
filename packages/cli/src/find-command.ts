/** Which command a line names: by its first word, or by its first two. */

import type { CommandTable } from './command.ts'

export interface NamedCommand {
  /** Null when there is none of this name. */
  readonly name: string | null
  /** What stands behind its name. */
  readonly rest: readonly string[]
}

export function commandIn(words: readonly string[], table: CommandTable): NamedCommand {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && Object.hasOwn(table, name)) return { name, rest: words.slice(count) }
  }
  return { name: null, rest: words }
}

/** Names of two words that have this first one. */
export function familyOf(word: string, table: CommandTable): readonly string[] {
  return Object.keys(table).filter((name) => name.startsWith(`${word} `))
}
