/** What the judge of PowerShell asks of the evaluation that it belongs to, and its cmdlets of the judge. */

import type { Shell } from '../walk/shell.ts'
import type { Arg, Stream } from '../walk/value.ts'
import type { Item } from './item.ts'
import type { Script } from './syntax.ts'

export interface PowerShellHost extends Shell {
  /** Counts one step; false when there were too many, and nothing more is looked at. */
  readonly mayGoOn: () => boolean
  /** Runs `step` one level deeper, unless that is too deep. */
  readonly deeper: <Result>(step: (inner: PowerShellHost) => Result, otherwise: Result) => Result
  /** What `step` reports is about this command, and rules for commands are held against it. */
  readonly runAs: (words: readonly Arg[], step: (inner: PowerShellHost) => Stream) => Stream
  readonly detached: () => PowerShellHost
  readonly subshell: () => PowerShellHost
  /** A function or script of this name is at work. */
  readonly isRunning: (name: string) => boolean
  readonly running: (name: string) => PowerShellHost
  /** Programs in braces that a variable holds, by its name. */
  readonly gathered: { readonly knownCode: Map<string, readonly Script[]> }
  /** It runs in a pipeline of PowerShell. */
  readonly isPiped: boolean
  readonly piped: () => PowerShellHost
}

export interface PowerShellRunner {
  readonly host: PowerShellHost
  /** Runs programs in braces; `each`: what `$_` stands for, one after the other. */
  readonly runScripts: (scripts: readonly Script[], stdin: Stream, each?: readonly Item[]) => Stream
  /** A command by its words, as `Start-Process` starts one. */
  readonly runWords: (words: readonly Arg[], stdin: Stream) => Stream
  /** The same runner for a command that starts in the background. */
  readonly detached: () => PowerShellRunner
}
