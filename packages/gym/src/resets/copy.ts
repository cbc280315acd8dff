/** One copy for all episodes, made equal to its source before each. */

import { join } from 'node:path'
import type { Layer } from '@agentpty/protocol/gym'
import { removePath } from '../tree/remove.ts'
import type { Base, FileReset } from './file-reset.ts'
import { TreeCopy } from './tree-copy.ts'

/** `root`: a folder of its own, kept from episode to episode. */
export function copyReset(bases: readonly Base[], root: string): FileReset {
  const copies = bases.map(({ target, folder }, index) => ({
    target,
    copy: new TreeCopy(folder, join(root, String(index))),
  }))
  return {
    kind: 'copy',
    isInMemory: false,
    isKept: true,
    prepare: async () => {
      const equal = copies.map(
        async ({ target, copy }): Promise<Layer> => ({ target, lowers: null, folder: await copy.makeEqual() }),
      )
      return Promise.all(equal)
    },
    discard: removePath,
  }
}
