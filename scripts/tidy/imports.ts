/** Imports of the packages' sources, and the shape they must have: floors, rooms, cycles, one place per third party. */
import path from 'node:path'
import { errorAt, isPackageSource, isTest, isTypeScript, type Problem, type SourceFile, viewsOf } from './source.ts'

export interface Import {
  readonly from: SourceFile
  /** As written. */
  readonly specifier: string
  /** The path of the imported file when it is one of ours, null for packages and node: modules. */
  readonly target: string | null
  readonly index: number
}

const importPattern =
  /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(?<plain>[^'"]+)\1|\bimport\(\s*(['"])(?<dynamic>[^'"]+)\3/gm

export function importsOf(file: SourceFile): Import[] {
  if (!isTypeScript(file)) return []
  return [...viewsOf(file).code.matchAll(importPattern)].map((match) => {
    const specifier = match.groups?.['plain'] ?? match.groups?.['dynamic'] ?? ''
    const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), specifier) : null
    return { from: file, specifier, target, index: match.index + match[0].length - match[0].trimStart().length }
  })
}

// --- floors ---

const floors = ['contracts', 'engine', 'features', 'faces'] as const
type Floor = (typeof floors)[number]

interface Place {
  readonly floor: Floor
  /** The folder inside the floor; null for a file that lies on the floor itself. */
  readonly room: string | null
}

const packageSource = 'packages/agentpty/src/'
/** Stand-ins for the ports, published for those who build on the library. They lie beside the floors. */
const standIns = `${packageSource}testing/`
/** The only files that see every floor: the program and the library put the house together. */
const roofs = new Set(['main.ts', 'daemon.ts', 'daemon-mcp.ts', 'index.ts', 'testing.ts'])
/** What every room of features may ask. */
const openRoom = 'policy'

function placeOf(file: string): Place | 'roof' | 'outside' {
  const [floor = '', room, ...deeper] = file.slice(packageSource.length).split('/')
  if (room === undefined && roofs.has(floor)) return 'roof'
  if (!floors.includes(floor as Floor) || room === undefined) return 'outside'
  return { floor: floor as Floor, room: deeper.length > 0 ? room : null }
}

/** Imports go downwards only; a face knows only the contracts; rooms of features and of faces do not know each other. */
export function floorRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(packageSource) && isPackageSource(file))
    .flatMap((file) => {
      if (file.path.startsWith(standIns)) return standInProblems(file)
      const here = placeOf(file.path)
      if (here === 'roof') return []
      if (here === 'outside') return [errorAt(file, 0, `lies on no floor; move it below ${floors.join('/, ')}/`)]
      return importsOf(file).flatMap((found) => {
        if (found.target?.startsWith(standIns) && testHelper.test(file.path)) return []
        const message = found.target?.startsWith(packageSource) ? forbidden(here, placeOf(found.target)) : null
        return message ? [errorAt(file, found.index, `imports '${found.specifier}': ${message}`)] : []
      })
    })
}

function standInProblems(file: SourceFile): Problem[] {
  return importsOf(file).flatMap((found) => {
    const isAllowed = [standIns, `${packageSource}contracts/`].some((folder) => found.target?.startsWith(folder))
    if (isAllowed || found.specifier.startsWith('node:')) return []
    return [errorAt(file, found.index, `imports '${found.specifier}': a stand-in for a port knows contracts only`)]
  })
}

function forbidden(here: Place, there: Place | 'roof' | 'outside'): string | null {
  if (there === 'roof')
    return 'only the outside imports main.ts, index.ts and testing.ts; take what you need from its own file'
  if (there === 'outside') return 'that file lies on no floor; stand-ins are for tests'
  if (floors.indexOf(there.floor) > floors.indexOf(here.floor)) {
    return `${here.floor} may not import ${there.floor}; declare a port in contracts/ports.ts and let main.ts hand it in`
  }
  if (here.floor === 'faces' && there.floor !== 'faces' && there.floor !== 'contracts') {
    return `a face imports contracts only; it is handed a Client instead of ${there.floor}`
  }
  return forbiddenSibling(here, there)
}

function forbiddenSibling(here: Place, there: Place): string | null {
  if (here.floor !== there.floor || here.room === there.room) return null
  if (here.floor === 'faces') return 'faces do not import each other; what both need is a word in contracts'
  // A file on the floor itself, like features/local-client.ts, joins the rooms around it.
  if (here.floor !== 'features' || here.room === null || there.room === openRoom) return null
  return `features do not import each other (only ${openRoom}); take a port, or move what both need down to the engine`
}

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
  if (!file.startsWith(packageSource)) return null
  const place = placeOf(file)
  return typeof place === 'object' && place.floor === 'engine' && place.room !== null ? `engine/${place.room}` : null
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
  { library: /^yaml$/, onlyIn: ['contracts/', 'features/registration/'] },
  { library: /^(jsonc-parser|smol-toml)$/, onlyIn: 'features/registration/' },
  { library: /^@modelcontextprotocol\/(server|node)(\/|$)/, onlyIn: 'faces/mcp/' },
  { library: /^zod(\/|$)/, onlyIn: 'contracts/' },
  { library: /^unbash(\/|$)/, onlyIn: 'features/policy/' },
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

const entryFiles = ['main.ts', 'index.ts', 'testing.ts', 'contracts/index.ts'].map((name) => packageSource + name)
/** Stand-ins that tests share; they live beside what they stand in for. */
const testHelper = /(^|\/)(fake-[^/]+|[^/]+-fixture)\.ts$|\/testing\//

/** Every source file is reachable from an entry of the package. */
export function deadFileRule(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter((file) => file.path.startsWith(packageSource) && isPackageSource(file))
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
    .filter((file) => !live.has(file.path) && !testHelper.test(file.path) && !file.path.endsWith('.d.ts'))
    .map((file) => errorAt(file, 0, 'nothing that ships imports this file; delete it or import it'))
}
