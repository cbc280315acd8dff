/** The environment of a session's program: that of its caller, with the facts of the new terminal. */

import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { defined, namesIn } from '@agentpty/protocol'
import { nonceVariable } from '../session/line-editor.ts'

/** Variables that describe the terminal of the caller, which is not that of the new program; and its token, which is the caller’s own. */
const foreign =
  /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|COLUMNS|LINES|TERMCAP|VTE_VERSION|TERM_PROGRAM|TERM_PROGRAM_VERSION|TERM_SESSION_ID|ITERM_.*|KITTY_.*|WEZTERM_.*|ALACRITTY_.*|GHOSTTY_.*|VSCODE_(INJECTION|NONCE|SHELL_INTEGRATION)|NODE_CHANNEL_.*|AGENTPTY_(RCFILE|NONCE|LOGIN|USER_ZDOTDIR|TERMINAL|LINEAGE|TOKEN))$/

interface EnvironmentOptions {
  readonly base: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, string>>
  readonly terminal: string
  /** The key that proves that a program comes from this terminal. */
  readonly lineageKey: string
  /** AGENTPTY_HOME of this instance, null with the XDG folders. */
  readonly home: string | null
  /** Names of variables that the program does not get, separated by commas; `*` is any characters. */
  readonly without: string
}

export function sessionEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { base, extra, terminal, lineageKey, home, without } = options
  const isRemoved = namesIn(without)
  const kept = Object.entries(base).filter(([name]) => !foreign.test(name) && !isRemoved(name))
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...Object.fromEntries(kept),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...utf8Locale(base),
    ...defined({ AGENTPTY_HOME: home ?? undefined }),
    ...extra,
    AGENTPTY_TERMINAL: terminal,
    AGENTPTY_LINEAGE: lineageKey,
  }
}

/** Without a UTF-8 locale programs print question marks for what the terminal could show. */
function utf8Locale(base: Readonly<Record<string, string>>): Record<string, string> {
  const locale = base['LC_ALL'] || base['LC_CTYPE'] || base['LANG'] || ''
  if (/utf-?8/i.test(locale) || base['LC_ALL']) return {}
  return { LC_CTYPE: 'C.UTF-8' }
}

/**
 * Starting a shell so that it marks its prompts and commands, without touching any file of its user.
 * The scripts are in the package's `shell-integration` folder; each reads the user's own start-up files first.
 */
export interface ShellStart {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Returns how to start an interactive shell; shells without integration are started unchanged. */
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

export function shellCommand(shell: string, line: string): readonly string[] {
  return [shell, '-c', line]
}

/** Quotes a word for any POSIX shell and for fish, where a backslash between quotes is special. zsh expands a leading = to a path. */
export function quote(word: string): string {
  return /^[\w./:@+,-]+$/.test(word) ? word : `'${word.replaceAll(/['\\]/g, (letter) => `'\\${letter}'`)}'`
}
