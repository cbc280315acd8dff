/** The kind of folder that a path belongs to. A pattern counts as every path that it may name. */

import type { PolicyState } from '../state/policy-state.ts'
import { baseName, isAtOrBelow, isBelow, isPattern, matchesPart, mayName } from './paths.ts'
import {
  accountFiles,
  credentialFiles,
  diskNames,
  gitStartFiles,
  guardEndings,
  guardFiles,
  harmlessDevices,
  keyNames,
  privateNames,
  publicFiles,
  sharedFolders,
  startFiles,
  sysrqFiles,
  systemFolders,
  topFolders,
} from './places-table.ts'

/** A row, split once: its parts, and whether it is below a home. */
interface Pattern {
  readonly parts: readonly string[]
  readonly isOfHome: boolean
  readonly hasAllBelow: boolean
}
/** The rows by the first part of their paths, and those of homes. */
export interface PlaceTable {
  readonly ofHome: readonly Pattern[]
  readonly byFirstPart: ReadonlyMap<string, readonly Pattern[]>
  readonly others: readonly Pattern[]
}

function tableOf(rows: readonly string[]): PlaceTable {
  const patterns = rows.map((row): Pattern => {
    const parts = row.split('/').slice(1)
    const hasAllBelow = parts.at(-1) === '**'
    return { parts: hasAllBelow ? parts.slice(0, -1) : parts, isOfHome: row.startsWith('~'), hasAllBelow }
  })
  const others = patterns.filter(({ isOfHome }) => !isOfHome)
  const byFirstPart = new Map<string, Pattern[]>()
  for (const pattern of others)
    byFirstPart.set(pattern.parts[0] ?? '', [...(byFirstPart.get(pattern.parts[0] ?? '') ?? []), pattern])
  return { ofHome: patterns.filter(({ isOfHome }) => isOfHome), byFirstPart, others }
}

export const placeTables = {
  credential: tableOf(credentialFiles),
  notCredential: tableOf(publicFiles),
  start: tableOf(startFiles),
  guard: tableOf(guardFiles),
  account: tableOf(accountFiles),
  sysrq: tableOf(sysrqFiles),
  harmlessDevice: tableOf(harmlessDevices),
} as const

/** The home that `~` of a table means, besides the usual ones. */
export type HomeOf = Pick<PolicyState, 'home'>

/** Whether a path may be one of a table. Tables with rows of homes need the user's own, which may be any folder. */
export function isIn(table: PlaceTable, path: string, of?: HomeOf): boolean {
  const parts = path.split('/').slice(1)
  for (const below of table.ofHome.length === 0 ? [] : [partsBelowHome(parts), partsBelow(path, parts, of)])
    if (below !== null && table.ofHome.some((pattern) => fits(pattern, below))) return true
  const [first = ''] = parts
  const rows = isPattern(first) ? table.others : (table.byFirstPart.get(first) ?? [])
  return rows.some((pattern) => fits(pattern, parts))
}

function fits({ parts, hasAllBelow }: Pattern, given: readonly string[]): boolean {
  if (given.length < parts.length) return false
  if (given.length > parts.length && !hasAllBelow) return false
  return parts.every((part, index) => overlap(given[index] ?? '', part))
}

/** Whether two parts may name the same. Both may be patterns. */
export function overlap(one: string, other: string): boolean {
  if (isPattern(one) && isPattern(other)) {
    const a = one.slice(0, one.search(/[*?[]/))
    const b = other.slice(0, other.search(/[*?[]/))
    return a.startsWith(b) || b.startsWith(a)
  }
  return isPattern(one) ? matchesPart(other, one) && !hidesDot(one, other) : matchesPart(one, other)
}

/** `*` does not name what begins with a dot. */
const hidesDot = (pattern: string, name: string) => name.startsWith('.') && !/^[.[]/.test(pattern)

function partsBelowHome(parts: readonly string[]): readonly string[] | null {
  const [first = '', second] = parts
  if (first === 'root') return parts.slice(1)
  return (matchesPart('home', first) || first === 'Users') && second !== undefined ? parts.slice(2) : null
}

function partsBelow(path: string, parts: readonly string[], of: HomeOf | undefined): readonly string[] | null {
  if (of === undefined) return null
  if (isAtOrBelow(path, of.home)) return path.slice(of.home.length).split('/').slice(1)
  if (!isPattern(path)) return null
  const own = of.home.split('/').slice(1)
  return own.every((part, index) => matchesPart(part, parts[index] ?? '')) ? parts.slice(own.length) : null
}

export function isHome(path: string, { home }: HomeOf): boolean {
  return /^\/(home|Users)\/[^/]+$/.test(path) || path === '/root' || path === home
}

/** Returns whether the path is below the user's home, which may be in a folder of the system or in /tmp. */
const isOfHome = (path: string, { home }: HomeOf) => home !== '/' && isAtOrBelow(path, home)

/** Returns whether losing the path loses the machine, a home, or a folder around the workspace. Includes a pattern of everything directly in one. */
export function isProtectedRoot(path: string, state: PolicyState): boolean {
  if (isProtectedFolder(path, state)) return true
  const last = baseName(path)
  const folder = path.slice(0, -last.length - 1) || '/'
  return namesAll(last) && isProtectedFolder(folder, state)
}

/** `*`, `.*`, `.[!.]*`, `?*`: nothing in it names anything. */
export function namesAll(part: string): boolean {
  return part.includes('*') && /^\.?(\[[!^]?\.\])?[*?]*$/.test(part)
}

function isProtectedFolder(path: string, { workspace, home }: PolicyState): boolean {
  if (topFolders.some((folder) => mayName(path, folder) && (path === folder || folder !== '/'))) return true
  return (
    isHome(path, { home }) ||
    isBelow(workspace, path) ||
    isBelow(home, path) ||
    (isPattern(path) && mayName(path, home))
  )
}

export function isDisk(path: string): boolean {
  if (!path.startsWith('/dev/') || isIn(placeTables.harmlessDevice, path)) return false
  const name = path.slice('/dev/'.length)
  return diskNames.some((disk) => name.startsWith(disk)) || /^[*?[]/.test(name)
}

/** Nearly every name is ruled out by its first or its last letters. */
const mayBeKey = /^id_|^core\.|(key|pem|asc|p12|pfx|kdbx|ppk|jks|keystore)$/
const mayBePrivate = /^\.|^fish_history$|^terraform\.|\.tfvars$/

export function isCredential(path: string, of: HomeOf): boolean {
  if (isIn(placeTables.notCredential, path, of) && !isPattern(path)) return false
  const name = baseName(path)
  return isIn(placeTables.credential, path, of) || (mayBeKey.test(name) && keyNames.test(name))
}

/** May be read, and does not belong on the network. */
export function isPrivate(path: string): boolean {
  const name = baseName(path)
  return (mayBePrivate.test(name) && privateNames.test(name)) || path === '/proc/self/environ'
}

export function isGuard(path: string, of: HomeOf): boolean {
  return isIn(placeTables.guard, path, of) || guardEndings.test(path)
}

export function isStart(path: string, of: HomeOf): boolean {
  return isIn(placeTables.start, path, of) || gitStartFiles.test(path)
}

export function isSystem(path: string, of: HomeOf): boolean {
  if (isOfHome(path, of)) return false
  if (sharedFolders.some((folder) => isBelow(path, folder))) return false
  return systemFolders.some((folder) => isAtOrBelow(path, folder))
}

/** A home in a temporary folder is temporary, except its special files. */
export function isTemporary(path: string): boolean {
  return isBelow(path, '/tmp') || isBelow(path, '/private/tmp')
}
