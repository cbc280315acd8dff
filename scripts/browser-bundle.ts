/** Bundles for browsers of sources that also run in Node. */
import type { Metafile, Plugin } from 'esbuild'

/** Entries of packages also export what needs Node. It is left out as long as nothing uses it, and `nodeModulesIn` finds what does. */
export const withoutNode: Plugin = {
  name: 'without-node',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }))
  },
}

/** The modules of Node that a bundle would ask a browser for. */
export function nodeModulesIn({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && path.startsWith('node:'))
    .map(({ path }) => path)
}
