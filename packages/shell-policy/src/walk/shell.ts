/** The interface of the evaluation for the programs' rules. */

import type { PolicyState, Variable } from '../state/policy-state.ts'
import type { Code, Rule } from '../verdict.ts'
import type { Arg, Stream } from './value.ts'

/** One simple command, resolved. */
export interface Call {
  /** The name without its folder. */
  readonly name: string
  /** The word that called it. */
  readonly word: Arg
  readonly args: readonly Arg[]
  readonly stdin: Stream
  /** The standard input is the terminal: no redirection or pipe replaces it. */
  readonly readsTerminal: boolean
}

export interface CodeOptions {
  readonly stdin?: Stream
  readonly positional?: readonly Arg[]
}

export interface Shell {
  /** Changes during the evaluation. */
  readonly state: PolicyState
  readonly report: (code: Code, rule: Rule, what?: string) => void
  /** Runs a simple command, the first word its name. */
  readonly run: (words: readonly Arg[], stdin: Stream) => Stream
  /** Runs the text of a shell program, wherever it came from. */
  readonly runCode: (code: Arg, options?: CodeOptions) => Stream
  /** The same for what a program was made to run that is none of its job: at least Q2, unless it is a well-known pager or editor. */
  readonly runSmuggled: (code: Arg) => void
  /** Returns the known content of a file; reports files that must not be read. */
  readonly read: (path: Arg) => Stream
  readonly write: (path: Arg, content: Stream) => void
  readonly remove: (path: Arg) => void
  /** Reports that a program uses this path, or this machine, in an unknown way. */
  readonly names: (path: string) => void
  readonly reaches: (address: string) => void
  /** Absolute and normal; null when it cannot be known. */
  readonly resolve: (path: string) => string | null
  /** Like `runCode`, for a script with a name: it may start itself. */
  readonly runFile: (path: Arg, content: Stream, options?: CodeOptions) => Stream
  readonly assign: (name: string, value: Arg) => void
  /** The same for all its values. Every builtin and every part of the syntax that sets a variable calls this. */
  readonly setVariable: (name: string, variable: Variable) => void
  /** Runs what substitutions in a text run: bash expands it once more. */
  readonly runExpanded: (text: Arg) => void
  readonly runFunction: (name: string, args: readonly Arg[], stdin: Stream) => Stream
  /** The same shell for a command that runs elsewhere: these cells and maps of its state are its own, the others are shared. */
  readonly within: (own: Partial<PolicyState>) => Shell
  /** The same shell with a folder of its own: this one, or at first the present one. */
  readonly inFolder: (folder: Arg | undefined) => Shell
  /** The same shell for a command that starts in the background. */
  readonly detached: () => Shell
  /** A copy with a folder and variables of its own. */
  readonly subshell: () => Shell
}

export type Program = (call: Call, shell: Shell) => Stream
export type Programs = Readonly<Record<string, Program>>

/** The same rules for several programs, whose names have blanks between them. */
export function programsNamed(names: string, program: Program): Programs {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]))
}
