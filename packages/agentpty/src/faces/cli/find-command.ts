/** Which command a line names: by its first word, or by its first two. */

import type { Command } from './command.ts'

export interface NamedCommand {
  /** Null when there is none of this name. */
  readonly command: Command | null
  /** What stands behind its name. */
  readonly rest: readonly string[]
}

export function commandIn(words: readonly string[], commands: readonly Command[]): NamedCommand {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = words.length < count ? undefined : commands.find((one) => one.name === name)
    if (command !== undefined) return { command, rest: words.slice(count) }
  }
  return { command: null, rest: words }
}

/** Commands of two words that have this first one. */
export function familyOf(word: string, commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}
