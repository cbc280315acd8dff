/** The floors of the house, and which of them each may import. */
import { importsOf } from './read-imports.ts'
import { errorAt, isPackageSource, type Problem, type SourceFile } from './source.ts'

export const packageSource = 'packages/agentpty/src/'

interface Floor {
  /** Floors below, of which it may import anything. */
  readonly sees: readonly string[]
  /** Its own rooms (folders) that each other room of it may import; `all` when they are one; `ordered`: those before it in `serverModules`. */
  readonly rooms: 'all' | 'ordered' | readonly string[]
  /** What to do instead, where something else is imported. */
  readonly instead: string
}

/** The modules of the server. Each may import those before it. */
export const serverModules: readonly string[] = [
  'files',
  'state',
  'call',
  'secrets',
  'sandbox',
  'scopes',
  'approvals',
  'devices',
  'needs',
  'policy',
  'terminals',
  'recordings',
  'agents',
  'audit',
  'pipelines',
  'registration',
  'doctor',
]

const floors: Readonly<Record<string, Floor>> = {
  contracts: { sees: [], rooms: 'all', instead: 'contracts import nothing above them' },
  engine: {
    sees: ['contracts'],
    rooms: 'all',
    instead: 'declare a port in contracts/ports.ts and let compose/ hand it in',
  },
  'shell-policy': {
    sees: ['contracts'],
    rooms: 'all',
    instead: 'the policy is a pure function of a line and of what is known',
  },
  server: {
    sees: ['contracts', 'engine', 'shell-policy'],
    rooms: 'ordered',
    instead: 'take a port, or move what both need to a module before them',
  },
  gym: {
    sees: ['contracts', 'engine', 'shell-policy', 'server/call', 'server/files'],
    rooms: 'all',
    instead: 'the gym calls verbs',
  },
  faces: {
    sees: ['contracts'],
    rooms: [],
    instead: 'a face is handed a Client, and faces do not import each other; what both need is a word in contracts',
  },
  doors: {
    sees: ['contracts', 'faces/cli'],
    rooms: ['parts'],
    instead: 'a door calls verbs; what two doors need belongs in doors/parts/',
  },
  compose: {
    sees: ['contracts', 'engine', 'shell-policy', 'server', 'gym', 'faces', 'doors'],
    rooms: 'all',
    instead: 'stand-ins are for tests',
  },
}

/** What the package offers: they re-export, and nobody inside imports them. */
const publicFiles = new Set(['index.ts', 'gym.ts', 'testing.ts'])
/** Stand-ins for the ports, published for those who build on the library. They lie on no floor. */
const standIns = `${packageSource}testing/`
/** Stand-ins that tests share; they lie in the folder of what they stand in for. */
export const standIn = /(^|\/)(fake-[^/]+|[^/]+-fixture)\.ts$|\/testing\//

export interface Location {
  readonly floor: string
  /** The folder inside the floor; null for a file that lies on the floor itself. */
  readonly room: string | null
}

/** Null for what lies on no floor. */
export function locationOf(file: string): Location | null {
  const [floor = '', room, ...deeper] = file.slice(packageSource.length).split('/')
  if (!Object.hasOwn(floors, floor) || room === undefined) return null
  return { floor, room: deeper.length > 0 ? room : null }
}

/** Imports go downwards only, and each floor sees what its row says. */
export function floorRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.startsWith(packageSource) && isPackageSource(file))
    .flatMap((file) => {
      if (publicFiles.has(file.path.slice(packageSource.length))) return []
      if (file.path.startsWith(standIns)) return standInProblems(file)
      const here = locationOf(file.path)
      if (here === null)
        return [errorAt(file, 0, `lies on no floor; move it below ${Object.keys(floors).join('/, ')}/`)]
      if (here.floor === 'server' && here.room !== null && !serverModules.includes(here.room))
        return [
          errorAt(
            file,
            0,
            `is in no module of the server; add ${here.room} to serverModules in scripts/tidy/floors.ts`,
          ),
        ]
      const isStandIn = standIn.test(file.path)
      return importsOf(file).flatMap((found) => {
        const { target, specifier, index } = found
        if (target === null || !target.startsWith(packageSource)) return []
        if (target.startsWith(standIns) && (isStandIn || here.floor === 'compose')) return []
        const message = forbidden(here, target) ?? (isStandIn ? null : aroundIndex(here, target))
        return message === null ? [] : [errorAt(file, index, `imports '${specifier}': ${message}`)]
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

function forbidden(here: Location, target: string): string | null {
  const inside = target.slice(packageSource.length)
  if (publicFiles.has(inside))
    return 'only the outside imports index.ts, gym.ts and testing.ts; take what you need from its own file'
  const there = locationOf(target)
  if (there === null) return 'that file lies on no floor; stand-ins are for tests'
  const { sees = [], rooms = [], instead = '' } = floors[here.floor] ?? {}
  if (here.floor !== there.floor)
    return sees.some((one) => inside.startsWith(`${one}/`))
      ? null
      : `${here.floor} may not import ${there.floor}; ${instead}`
  // A file on the floor itself joins the rooms around it.
  if (here.room === null || here.room === there.room || rooms === 'all') return null
  if (rooms === 'ordered') return outOfOrder(here.room, there.room)
  return rooms.includes(there.room ?? '') ? null : instead
}

/** A module of the server imports only the index of another module. */
function aroundIndex(here: Location, target: string): string | null {
  const there = locationOf(target)
  if (there?.floor !== 'server' || there.room === null) return null
  if (here.floor === 'server' && here.room === there.room) return null
  const index = `server/${there.room}/index.ts`
  return target === packageSource + index ? null : `take it from ${index}`
}

function outOfOrder(here: string, there: string | null): string | null {
  if (there === null) return 'modules of the server do not import what joins them'
  return serverModules.indexOf(there) < serverModules.indexOf(here)
    ? null
    : `${there} comes after ${here} in serverModules; ${floors['server']?.instead}`
}
