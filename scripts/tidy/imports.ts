/**
 * Imports of the packages' sources, and the shape they must have: no cycles, one importer for each third party, no dead
 * files.
 */
import path from 'node:path'
import { locationOf, packageSource, standIn } from './floors.ts'
import { type Import, importsOf } from './read-imports.ts'
import { errorAt, isPackageSource, isTest, type Problem, type SourceFile } from './source.ts'

// --- cycles ---

/** No cycle between files anywhere, none between the engine's rooms. Type imports count: they tie the reader just as much. */
export function cycleRule(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter(isPackageSource)
  const links = sources.flatMap(importsOf).filter((found) => found.target !== null)
  const byFile = graphOf(links.map((found) => [found.from.path, found.target ?? '', found] as const))
  const byRoom = graphOf(links.flatMap(roomLink))
  return [
    ...cyclesIn(byFile, (names) => `import cycle: ${names.map((name) => path.posix.basename(name)).join(' → ')}`),
    ...cyclesIn(byRoom, (names) => `rooms in a cycle: ${names.join(' → ')}`),
  ].map(({ link, message }) => errorAt(link.from, link.index, `${message}; move what both need into a file of its own`))
}

type Edge = readonly [from: string, to: string, link: Import]
type Graph = ReadonlyMap<string, ReadonlyMap<string, Import>>

function roomLink(found: Import): Edge[] {
  const from = engineRoom(found.from.path)
  const to = engineRoom(found.target ?? '')
  return from && to && from !== to ? [[from, to, found]] : []
}

function engineRoom(file: string): string | null {
  const location = file.startsWith(packageSource) ? locationOf(file) : null
  return location?.floor === 'engine' && location.room !== null ? `engine/${location.room}` : null
}

function graphOf(edges: readonly Edge[]): Graph {
  const graph = new Map<string, Map<string, Import>>()
  for (const [from, to, link] of edges) {
    const out = graph.get(from) ?? new Map<string, Import>()
    if (!out.has(to)) out.set(to, link)
    graph.set(from, out)
  }
  return graph
}

/** Depth first; every edge back onto the current path is one cycle, reported at the import that closes it. */
function cyclesIn(graph: Graph, describe: (names: readonly string[]) => string) {
  const done = new Set<string>()
  const trail: string[] = []
  const found: { link: Import; message: string }[] = []
  const visit = (name: string): void => {
    if (done.has(name)) return
    trail.push(name)
    for (const [next, link] of graph.get(name) ?? []) {
      const at = trail.indexOf(next)
      if (at >= 0) found.push({ link, message: describe([...trail.slice(at), next]) })
      else visit(next)
    }
    trail.pop()
    done.add(name)
  }
  for (const name of graph.keys()) visit(name)
  return found
}

// --- third parties ---

/** Each runtime library is imported in one folder, so it can be replaced there. A new library is a new row. */
const thirdParties: readonly { readonly library: RegExp; readonly onlyIn: string | readonly string[] }[] = [
  { library: /^@xterm\//, onlyIn: 'engine/screen/' },
  { library: /^yaml$/, onlyIn: ['contracts/', 'server/registration/'] },
  { library: /^jsonc-parser$/, onlyIn: 'server/registration/' },
  { library: /^smol-toml$/, onlyIn: ['server/registration/', 'gym/'] },
  { library: /^@modelcontextprotocol\/(server|node)(\/|$)/, onlyIn: 'faces/mcp/' },
  { library: /^zod(\/|$)/, onlyIn: ['contracts/', 'doors/', 'faces/mcp/', 'faces/wire/', 'gym/'] },
  { library: /^hono$/, onlyIn: 'faces/page/' },
  { library: /^ws$/, onlyIn: ['faces/page/', 'faces/http/'] },
  { library: /^unbash(\/|$)/, onlyIn: 'shell-policy/' },
  { library: /^@resvg\/resvg-js$/, onlyIn: 'engine/picture/' },
  { library: /^gifenc$/, onlyIn: 'engine/picture/' },
]

export function thirdPartyRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(packageSource) && isPackageSource(file) && !isTest(file))
    .flatMap(importsOf)
    .filter((found) => found.target === null && !found.specifier.startsWith('node:'))
    .flatMap((found) => {
      const row = thirdParties.find(({ library }) => library.test(found.specifier))
      const homes = row ? [row.onlyIn].flat() : []
      if (homes.some((home) => found.from.path.startsWith(packageSource + home))) return []
      const message = row
        ? `'${found.specifier}' is imported in ${homes.join(' and ')} only; use what that folder exports`
        : `'${found.specifier}' has no home yet; add it to the table in scripts/tidy/imports.ts`
      return [errorAt(found.from, found.index, message)]
    })
}

// --- dead files ---

const entryFiles = [
  ...['compose/main.ts', 'index.ts', 'gym.ts', 'testing.ts', 'contracts/index.ts'].map((name) => packageSource + name),
  ...['packages/web/src/main.tsx', 'packages/web/src/wall/worker.ts', 'packages/vscode/src/extension.ts'],
  'packages/vscode/src/details/view/show-details.ts',
]
/** Every source file of the packages is reachable from an entry of one of them. */
export function deadFileRule(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter(isPackageSource)
  const byPath = new Map(sources.map((file) => [file.path, file]))
  const live = new Set<string>()
  const queue = entryFiles.filter((name) => byPath.has(name))
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = byPath.get(name)
    if (!file || live.has(name)) continue
    live.add(name)
    queue.push(...importsOf(file).flatMap((found) => found.target ?? []))
  }
  return sources
    .filter((file) => !live.has(file.path) && !standIn.test(file.path) && !file.path.endsWith('.d.ts'))
    .map((file) => errorAt(file, 0, 'nothing that ships imports this file; delete it or import it'))
}
