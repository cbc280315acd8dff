/** Ways of restoring the files of an environment; each keeps the same contract. */

import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { copyMsMax, type Layer, type ResetKind } from '@agentpty/protocol/gym'
import { removePath } from '../tree/remove.ts'

/** A folder that can be written inside, and its content at the beginning. */
export interface Base {
  readonly target: string
  /** A folder of this machine that is only read; null: it is empty. */
  readonly folder: string | null
  /** The system folder below it; null for none. */
  readonly system: string | null
}

export interface FileReset {
  readonly kind: ResetKind
  /** Layers in a file system of their own, in memory. */
  readonly isInMemory: boolean
  /** The same files are made what they were: the container before must have ended. */
  readonly isKept: boolean
  /** For a container that is about to be made with this stage, an empty folder. Errors: `machine_unfit`. */
  prepare(stage: string): Promise<readonly Layer[]>
  /** Called after its container has ended. */
  discard(stage: string): Promise<void>
}

/** Overlay layers: written files are above the original ones. They are in memory and go with the container, or on the disk and are removed. */
export function overlayReset(bases: readonly Base[], isInMemory: boolean): FileReset {
  return {
    kind: isInMemory ? 'overlay-memory' : 'overlay-disk',
    isInMemory,
    isKept: false,
    prepare: async (stage) => {
      const empty = join(stage, '..', 'empty')
      if (bases.some(({ folder }) => folder === null)) await mkdir(empty, { recursive: true })
      return bases.map(({ target, folder, system }): Layer => {
        const lowers = [folder ?? empty, ...(system === null ? [] : [system])]
        return { target, lowers, folder: null }
      })
    },
    discard: removePath,
  }
}

/** Runs a program of the system and keeps what it complains of. */
export interface ToolEnd {
  /** Null when it could not be started, or took too long. */
  readonly code: number | null
  readonly complaint: string
}

interface ToolOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array
}

export function runTool(
  program: string,
  words: readonly string[],
  { cwd = '/', env = {}, input }: ToolOptions = {},
): Promise<ToolEnd> {
  const options = { cwd, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env }, timeout: copyMsMax, maxBuffer: 1 << 20 }
  return new Promise((resolve) => {
    const child = execFile(program, words, options, (error, _out, stderr) => {
      if (error === null) resolve({ code: 0, complaint: '' })
      else {
        const code = typeof error.code === 'number' ? error.code : null
        resolve({ code, complaint: stderr.trim().slice(-500) || error.message })
      }
    })
    // A program that ends before it has read everything says so by its exit code.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
