/** Files that programs behind a gate have deleted or overwritten, kept so that a person can put them back. */

/** How many bytes all kept files may have; the oldest are removed first. A job may delete half of it without a question. */
export const undoBytesMax = 2 * 1_024 ** 3
export const undoKeptMs = 7 * 24 * 60 * 60 * 1_000
/** Bytes of a file that is copied. native/ptyhost/src/gate_keep_linux.c has the same. */
export const undoCopyBytesMax = 8 * 1_024 ** 2
export const undoFilesMax = 200_000
/** Between two removals of old ones. */
export const undoSweepMs = 10 * 60 * 1_000

/** A job (a process group) that has deleted or overwritten files. */
export interface KeptJob {
  /** `term-3.2`: its terminal, and its number there. */
  readonly id: string
  readonly terminalId: string
  /** When it deleted or overwrote the first of them, in milliseconds since 1970. */
  readonly at: number
  readonly program: string
  readonly command: string
  /** How many can be put back: files, links and empty folders. */
  readonly files: number
  readonly bytes: number
  /** How many could not be kept. */
  readonly lost: number
  /** The nearest folder of all of them. */
  readonly folder: string
}

/** The same for a timeline, as it was recorded: whatever has become of the files since. */
export interface RecordedDeletion extends Pick<KeptJob, 'id' | 'at' | 'program' | 'command'> {
  /** How many it has deleted or overwritten. */
  readonly files: number
}

export interface KeptFile {
  readonly path: string
  readonly why: KeptReason
  /** `same`: what is there now is what was kept. `gone`: it was put back, or is not kept any more. */
  readonly state: 'kept' | 'lost' | 'same' | 'gone'
  readonly bytes: number
}

export const keptReasons = ['delete', 'replace', 'write'] as const
export type KeptReason = (typeof keptReasons)[number]

export interface UndoResult {
  /** How many are back. */
  readonly back: number
  /** How many were there unchanged. */
  readonly same: number
  /** Those that could not be put back, each with the reason. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
  /** The id by which this can be undone: what was in their place is kept. Null where nothing was. */
  readonly undo: string | null
}

/** The kept files of an instance, without its daemon. */
export interface UndoRoom {
  /** The newest last. */
  list(): readonly KeptJob[]
  /** Errors: `invalid_input` for an id that is not known. */
  files(id: string): readonly KeptFile[]
  /** `paths`: only these files, and what is below these folders; empty for all. Errors: `invalid_input`. */
  undo(id: string, paths: readonly string[]): UndoResult
}
