/**
 * A mark: something a program said in an escape sequence that is about its work, not about the picture.
 *
 * `offset` is that of its ESC in the log and `end` the offset after its last byte, so that the text between two
 * marks can be read exactly. Sources: FinalTerm's OSC 133, VS Code's OSC 633, iTerm2's OSC 9, ConEmu's OSC 9;4,
 * rxvt's OSC 777, kitty's OSC 99 and keyboard flags, and xterm's control sequences for the rest.
 */

import { basename } from 'node:path'
import type { Offset } from '@agentpty/protocol'

export type MarkBody =
  | { readonly kind: 'prompt-start' }
  | { readonly kind: 'prompt-end' }
  /** A prompt for the rest of a command: a quote is open, or a loop has no end yet. */
  | { readonly kind: 'continuation' }
  | { readonly kind: 'command-start' }
  | { readonly kind: 'command-end'; readonly exitCode: number | null }
  | { readonly kind: 'command-line'; readonly line: string; readonly nonce: string | null }
  | EditLineMark
  | { readonly kind: 'cwd'; readonly path: string }
  | { readonly kind: 'title'; readonly title: string }
  /** State as ConEmu counts it: 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused. Value is per cent. */
  | { readonly kind: 'progress'; readonly state: number; readonly value: number | null }
  | { readonly kind: 'notification'; readonly text: string }
  | { readonly kind: 'program-status'; readonly raw: string }
  /** Does the terminal know OSC 7501? It is answered with the question itself, ended in the same way. */
  | { readonly kind: 'status-query'; readonly terminator: Terminator }
  | { readonly kind: 'bracketed-paste'; readonly on: boolean }
  | { readonly kind: 'alternate-screen'; readonly on: boolean }
  | { readonly kind: 'application-cursor'; readonly on: boolean }
  | { readonly kind: 'cursor-visible'; readonly on: boolean }
  | QueryMark
  /** ESC c: the terminal as if it had just been turned on. */
  | { readonly kind: 'reset' }

/** The text of the shell's line editor, which the shell reports for a private key of ours. */
export interface EditLineMark {
  readonly kind: 'edit-line'
  readonly line: string
  /** Enter would run it, for it is whole and valid; null where the shell does not know. */
  readonly wouldRun: boolean | null
  /** The program that zsh parsed: without comments, with aliases expanded and short forms written out; null in other shells. */
  readonly program: string | null
  readonly nonce: string
}

export type Terminator = '\x07' | '\x1b\\'

/** A question that the program waits on until the terminal answers. */
export interface QueryMark {
  readonly kind: 'query'
  readonly name: QueryName
  /** Asked in DEC's private form, CSI ?, for sequences that have both forms. */
  readonly private: boolean
  /** The mode asked for; null where the question has no parameter. */
  readonly parameter: number | null
}

export type QueryName =
  | 'primary-attributes'
  | 'secondary-attributes'
  | 'cursor-position'
  | 'device-status'
  | 'mode'
  | 'version'
  | 'foreground-color'
  | 'background-color'
  | 'kitty-flags'
  | 'setting'
  | 'size'

/** Whether work continues; a pause or an error waits for the caller. */
export function isProgressing({ state }: Extract<MarkBody, { readonly kind: 'progress' }>): boolean {
  return state === 1 || state === 3
}

export type Mark = MarkBody & { readonly offset: Offset; readonly end: Offset }

// Shells that agentpty starts with its integration, which marks prompts and commands and reports the line editor's text.

const names: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish'])

/** @param shell - The program that the session was started with; null for a session that is no shell. */
export function marksPrompts(shell: string | null): boolean {
  return shell !== null && names.has(basename(shell))
}
