/** Bundles sources for browsers that also run in Node. */
import type { Metafile, Plugin } from 'esbuild'

/** Package entries also export code that needs Node. It is left out while unused, and `nodeModulesIn` finds the used parts. */
export const withoutNode: Plugin = {
  name: 'without-node',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }))
  },
}

/** The modules of Node that a bundle would need from a browser. */
export function nodeModulesIn({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && path.startsWith('node:'))
    .map(({ path }) => path)
}

/** Whether code of an npm package is part of a bundle. */
export function holdsPackage({ outputs }: Metafile, name: string): boolean {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .some(([file, { bytesInOutput }]) => bytesInOutput > 0 && file.includes(`node_modules/${name}/`))
}
