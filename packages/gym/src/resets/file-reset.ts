/** How the files of an environment are made what they were: one way each, and all of them keep the same promise. */

import type { Layer, ResetKind } from '@agentpty/protocol/gym'

/** What can be written inside, and what lies there at the beginning. */
export interface Base {
  readonly target: string
  /** A folder of this machine that is only read; null: it is empty. */
  readonly folder: string | null
  /** What the system has there, below it; null: nothing. */
  readonly system: string | null
}

export interface FileReset {
  readonly kind: ResetKind
  /** Layers in a file system of their own, in memory. */
  readonly isInMemory: boolean
  /** The same files are made what they were: the container before must have ended. */
  readonly isKept: boolean
  /** For a container that is about to be made with this stage, an empty folder. Errors: `environment`. */
  prepare(stage: string): Promise<readonly Layer[]>
  /** Its container has ended. */
  discard(stage: string): Promise<void>
}
