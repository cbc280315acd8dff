/** The floors of the house, and which of them each may import. */
import { importsOf } from './read-imports.ts'
import { errorAt, isPackageSource, type Problem, type SourceFile } from './source.ts'

export const packageSource = 'packages/agentpty/src/'

interface Floor {
  /** Floors below, of which it may import anything. */
  readonly sees: readonly string[]
  /** Its own rooms (folders) that each other room of it may import; `all` when they are one. */
  readonly rooms: 'all' | readonly string[]
  /** What to do instead, where something else is imported. */
  readonly instead: string
}

const floors: Readonly<Record<string, Floor>> = {
  contracts: { sees: [], rooms: 'all', instead: 'contracts import nothing above them' },
  engine: {
    sees: ['contracts'],
    rooms: 'all',
    instead: 'declare a port in contracts/ports.ts and let compose/ hand it in',
  },
  home: { sees: ['contracts'], rooms: 'all', instead: 'the daemon’s files know contracts only' },
  features: {
    sees: ['contracts', 'engine', 'home'],
    rooms: ['policy'],
    instead: 'features do not import each other; take a port, or move what both need down to the engine',
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
    sees: ['contracts', 'engine', 'home', 'features', 'faces', 'doors'],
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
      return importsOf(file).flatMap((found) => {
        const { target, specifier, index } = found
        if (target === null || !target.startsWith(packageSource)) return []
        if (target.startsWith(standIns) && (standIn.test(file.path) || here.floor === 'compose')) return []
        const message = forbidden(here, target)
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
  const isOpen = rooms === 'all' || here.room === null || here.room === there.room || rooms.includes(there.room ?? '')
  return isOpen ? null : instead
}
