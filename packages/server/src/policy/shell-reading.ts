/** Texts that only the shell can read: they may refer to its history, or use a syntax of its own. */

import type { EnteredLine } from '@agentpty/shell-policy'
import type { TypedSoFar } from './shell-lines.ts'

export interface ShellReading {
  /** Name of the shell, for example `zsh`. */
  readonly shell: string
  readonly typed: TypedSoFar
}

/** The shell reports before Enter how it reads such a text. */
export function isReadByShell({ text, isOpen }: EnteredLine, { shell, typed }: ShellReading): boolean {
  // The text of a here-document is no syntax.
  if (shell === 'bash' || typed.pending.includes('<<')) return false
  // zsh has its own syntax for braces and parentheses. bash does not know before Enter whether a text is complete.
  return isOpen || (shell === 'zsh' && /[{}()]/.test(text))
}

/** The text may refer to the history. */
export function mayRecall(shell: string, text: string): boolean {
  return /!|^\s*\^/.test(text) && shell !== 'fish'
}
