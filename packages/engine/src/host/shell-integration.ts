/**
 * Starting a shell so that it marks its prompts and commands, without touching any file of its user.
 * The scripts lie in the package's `shell-integration` folder; each reads the user's own start-up files first.
 */

import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { defined } from '@agentpty/protocol'
import { nonceVariable } from '../session/line-editor.ts'

export interface ShellStart {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How to start an interactive shell; shells without integration are started as they are. */
export function interactiveShell(shell: string, scripts: string, env: Readonly<Record<string, string>>): ShellStart {
  const nonce = { [nonceVariable]: randomBytes(12).toString('hex') }
  switch (basename(shell)) {
    case 'bash':
      return { argv: [shell, '--rcfile', join(scripts, 'bash.sh'), '-i'], env: nonce }
    case 'zsh': {
      const own = env['ZDOTDIR']
      return {
        argv: [shell, '-i'],
        env: defined({ ...nonce, ZDOTDIR: join(scripts, 'zsh'), AGENTPTY_USER_ZDOTDIR: own }),
      }
    }
    case 'fish':
      return { argv: [shell, '-C', `source ${quote(join(scripts, 'fish.fish'))}`], env: nonce }
    default:
      return { argv: [shell, '-i'], env: {} }
  }
}

/** A line for the shell to run. */
export function shellCommand(shell: string, line: string): readonly string[] {
  return [shell, '-c', line]
}

/**
 * Quotes a word for any POSIX shell and for fish, where a backslash between quotes is special. zsh expands a leading =
 * to a path.
 */
export function quote(word: string): string {
  return /^[\w./:@+,-]+$/.test(word) ? word : `'${word.replaceAll(/['\\]/g, (letter) => `'\\${letter}'`)}'`
}
