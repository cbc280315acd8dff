/** What is written lies above what was there, and is forgotten: in memory with the container, on the disk by removing it. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layer } from '@agentpty/protocol/gym'
import { removePath } from '../tree/remove.ts'
import type { Base, FileReset } from './file-reset.ts'

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
