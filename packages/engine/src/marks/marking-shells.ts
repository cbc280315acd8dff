/** Shells that agentpty starts with its integration, which marks prompts and commands and reports the line editor's text. */

import { basename } from 'node:path'

const names: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish'])

/** @param shell - The program that the session was started with; null for a session that is no shell. */
export function marksPrompts(shell: string | null): boolean {
  return shell !== null && names.has(basename(shell))
}
