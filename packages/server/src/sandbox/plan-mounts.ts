/** Plans the mounts of a sandbox: everything outside is readable, except for the following mounts; later mounts cover earlier ones. */

import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sandboxEntriesMax, sandboxPrivateBytes } from '@agentpty/protocol'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import {
  credentialFiles,
  guardsInWorkspace,
  isAtOrBelow,
  isBelow,
  isPattern,
  matchesPart,
  ownPlaces,
  realOf,
  statOf,
} from '@agentpty/shell-policy'
import type { Mount } from './probe.ts'

/** Folders that each sandbox has for itself. The files of programs outside, sockets above all, are not for those inside. */
const privateFolders = ['/tmp', '/var/tmp', '/run', '/dev/shm'] as const

interface MountPlaces {
  readonly home: string
  /** Root owns the kernel’s settings, also in a namespace of its own. */
  readonly isRoot: boolean
  /** Folders of this agentpty, which programs inside must not see. */
  readonly own: readonly string[]
  /** Paths that programs need, which may be in a hidden folder. */
  readonly needed: readonly string[]
  /** Paths of sockets of programs outside. */
  readonly sockets: readonly string[]
  /** A file with nothing in it. */
  readonly empty: string
}

export function planMounts(sandbox: SandboxInForce, places: MountPlaces): Mount[] {
  const { home, isRoot, own, needed, sockets, empty } = places
  const ownReal = realsOf([...own, ...expandPlaces(ownPlaces, { home, folder: '/' })])
  const writable = realsOf(sandbox.writable).filter((path) => !ownReal.some((folder) => isAtOrBelow(path, folder)))
  const privateHome = realsOf([home]).filter(isPrivate)
  const shown = [...writable, ...privateHome]
  /** Returns whether a path exists inside: one in a private folder does so only when a shown path contains it. */
  const isThere = (path: string) => !isPrivate(path) || shown.some((place) => isAtOrBelow(path, place))
  const secrets = realsOf(expandPlaces(secretRows, { home, folder: '/' }))
  const stated = realsOf(sandbox.hidden)
  const hidden = [...new Set([...secrets, ...stated])].filter(isThere)
  // A setting that names a secret, or a path in one, is deliberate.
  const isMeant = (path: string) => secrets.some((place) => isAtOrBelow(path, place)) && !stated.includes(path)
  const hide = (path: string): Mount =>
    statOf(path)?.isDirectory() === true ? { kind: 'no-folder', path } : { kind: 'no-file', path, empty }
  const isCovered = (path: string) => [...hidden, ...ownReal].some((place) => isAtOrBelow(path, place))
  const networkFile = sandbox.network === 'on' ? realsOf(['/etc/resolv.conf']).filter(isPrivate) : []
  return [
    ...(isRoot ? realsOf(kernelSettings) : []).map(readOnly),
    ...privateFolders.filter((path) => realOf(path) === path).map(privateFolder),
    ...[...privateHome, ...networkFile, ...realsOf(systemPrograms)].map(readOnly),
    ...writable.filter((path) => !isMeant(path)).flatMap((path) => writeMounts(path, home)),
    ...realsOf(sandbox.readOnly).map(readOnly),
    ...hidden.filter((path) => !isBelowAny(path, hidden) && !writable.includes(path)).map(hide),
    ...writable.filter(isMeant).flatMap((path) => writeMounts(path, home)),
    ...sockets.filter((path) => isThere(path) && !isCovered(path) && statOf(path)?.isSocket() === true).map(hide),
    ...ownReal.filter((path) => isThere(path) && !isBelowAny(path, ownReal)).map(hide),
    ...realsOf(needed).map(readOnly),
  ]
}

/** Secrets in /proc are left out: inside, /proc has only the sandbox's own processes. */
const secretRows = credentialFiles.filter((row) => !row.startsWith('/proc/'))

/** Folders in which some systems keep the links to all their programs, and which are private here. */
const systemPrograms = ['/run/current-system', '/run/booted-system', '/run/wrappers']

/** Files there belong to root, and are not for the sandbox alone. */
const kernelSettings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map(
  (name) => `/proc/${name}`,
)

const privateFolder = (path: string): Mount => ({ kind: 'private', path, bytes: sandboxPrivateBytes })
const readOnly = (path: string): Mount => ({ kind: 'read', path })

/** A place to write, and what in it can only be read. The folders on the way are mounts too: so none of them can be moved away. */
function writeMounts(path: string, home: string): Mount[] {
  const folder = basename(path) === '.git' ? dirname(path) : path
  const found = expandPlaces(guardsInWorkspace, { home, folder }).filter((one) => isBelow(one, path))
  const link = join(path, '.git')
  // In a linked checkout that is a file, which says where git finds what it runs.
  const guards = statOf(link)?.isFile() === true ? [...found, link] : found
  const onTheWay = guards.flatMap((guard) => foldersBetween(path, guard))
  return [
    { kind: 'write', path },
    ...[...new Set(onTheWay)].filter(isNoLink).map((one): Mount => ({ kind: 'write', path: one })),
    ...guards.filter(isNoLink).map(readOnly),
  ]
}

/** Rejects links: a link in a repository may lead anywhere its author wants. */
const isNoLink = (path: string): boolean => realOf(path) === path

function foldersBetween(folder: string, path: string): string[] {
  const parent = dirname(path)
  return isBelow(parent, folder) ? [...foldersBetween(folder, parent), parent] : []
}

const isPrivate = (path: string): boolean => privateFolders.some((folder) => isAtOrBelow(path, folder))

const isBelowAny = (path: string, places: readonly string[]): boolean => places.some((place) => isBelow(path, place))

/** Those that are there, by their real paths, each once. */
function realsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))]
}

/** Returns whether a folder may be a writable workspace: not a home, a folder above one, or a folder of the system. */
export function isWorkspace(folder: string, home: string, topFolders: readonly string[]): boolean {
  if (topFolders.includes(folder) || isAtOrBelow(home, folder) || privateFolders.some((path) => path === folder))
    return false
  return !['/etc', '/boot', '/proc', '/sys', '/dev'].some((system) => isBelow(folder, system))
}

/** Rows as `~/.aws/**`, `.git/modules/*\/hooks`: the existing places that they name, each with all that is below it. */
function expandPlaces(rows: readonly string[], { home, folder }: { home: string; folder: string }): string[] {
  return rows.flatMap((row) => {
    const whole = row.replace(/\/\*\*$/, '')
    const path = whole.startsWith('~/')
      ? join(home, whole.slice(2))
      : whole.startsWith('/')
        ? whole
        : join(folder, whole)
    return named(path)
  })
}

function named(path: string): string[] {
  if (!isPattern(path)) return statOf(path) === null ? [] : [path]
  return path
    .split('/')
    .slice(1)
    .reduce<string[]>((found, part) => found.flatMap((at) => entries(at, part)), ['/'])
}

function entries(folder: string, part: string): string[] {
  if (!isPattern(part)) return statOf(join(folder, part)) === null ? [] : [join(folder, part)]
  try {
    const names = readdirSync(folder).slice(0, sandboxEntriesMax)
    return names.filter((name) => matchesPart(name, part)).map((name) => join(folder, name))
  } catch {
    // It is not there, or not ours to read: then it is not there for its programs either.
    return []
  }
}
