/** The interface to containers: namespaces and a file system that several programs share, and that are removed together. */

import type { Millis } from '../units.ts'

/** A folder inside that can be written, and is as it was when the next container is made. */
export interface Layer {
  /** Where it is inside. */
  readonly target: string
  /** Layers below the writable folder, the uppermost first; null: `folder` itself is written. */
  readonly lowers: readonly string[] | null
  readonly folder: string | null
}

export type Mount =
  /** A file or folder of outside. */
  | { readonly kind: 'read' | 'write'; readonly source: string; readonly target: string }
  /** Empty, with its permissions in octal digits. */
  | { readonly kind: 'folder'; readonly target: string; readonly mode: string }
  /** A symbolic link that says `source`. */
  | { readonly kind: 'link'; readonly source: string; readonly target: string }

export interface ExecOptions {
  /** Absolute, inside. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Its standard input; empty without. */
  readonly input?: Uint8Array
  readonly timeoutMs: Millis
  /** Limit of each of both outputs; bytes beyond it are dropped and counted. */
  readonly outputBytesMax: number
  readonly signal?: AbortSignal | undefined
}

export interface ExecResult {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly droppedBytes: number
  /** Null when it was ended: after `timeoutMs`, or because its caller went. */
  readonly exitCode: number | null
}

export interface RunningContainer {
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>
  readonly hasEnded: boolean
  /** Checks the container, because its end is reported a moment after that of its programs. */
  isAlive(): Promise<boolean>
  /** Where terminals are made that its programs find by name. */
  readonly ptmx: string
  /** Words that precede a program that a terminal starts inside. */
  terminalWords(cwd: string): readonly string[]
  /** Runs a program inside, on pipes. Errors: `sandbox_unavailable` when the container has ended. */
  exec(argv: readonly string[], options: ExecOptions): Promise<ExecResult>
  /** Copies a folder of this container into another one, replacing its content there. Errors: `machine_unfit`. */
  copyTo(other: RunningContainer, folder: string): Promise<void>
  /** How a program is started inside on pipes. */
  enterWords(cwd: string): readonly string[]
  /** Ends all programs inside, and what they have started; the file system stays. */
  sweep(): Promise<void>
  /** Resolves when nothing of it is left. */
  end(): Promise<void>
}
