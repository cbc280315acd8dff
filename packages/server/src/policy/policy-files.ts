/**
 * The files that may hold rules for a folder: the user's own, and those of the repositories that the folder lies in.
 *
 * A repository is not trusted: nothing but a plain file of modest size inside it is read, and no link is followed out of it.
 */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { configFileBytesMax, policyFoldersMax } from '@agentpty/protocol'
import type { PolicyFileKind } from '@agentpty/protocol/policy'

export interface PolicyFile {
  readonly path: string
  readonly kind: PolicyFileKind
  /** What its relative patterns begin at, and what it must lie in; null for the user’s own. */
  readonly folder: string | null
}

export interface PolicyPlaces {
  /** The user’s `config.yaml`. */
  readonly configPath: string
  readonly home: string
  /** Folders of agentpty itself that lie where no table knows them. */
  readonly guarded?: readonly string[]
}

const inRepositories: readonly (readonly [PolicyFileKind, string])[] = [
  ['repository', '.agentpty/policy.yaml'],
  ['codebuddy-security', '.codebuddy/security.json'],
  ['codebuddy-permissions', '.codebuddy/permissions.json'],
]

/** The user’s file first, then those of each folder, the innermost first. They need not be there. */
export function policyFilesFor(folders: readonly string[], { configPath, home }: PolicyPlaces): readonly PolicyFile[] {
  const all = new Set(folders.flatMap((folder) => foldersAbove(realPath(folder), realPath(home))))
  const own: PolicyFile = { path: configPath, kind: 'user', folder: null }
  const others = [...all].flatMap((folder) =>
    inRepositories.map(([kind, name]): PolicyFile => ({ path: join(folder, name), kind, folder })),
  )
  return [own, ...others]
}

/**
 * The folder and those above it that its repositories take in: up to the outermost one, for a repository made inside another must not
 * shake off its rules. Without any, up to the home, and elsewhere the folder alone.
 */
function foldersAbove(folder: string, home: string): readonly string[] {
  const all = [folder]
  for (let above = dirname(folder); all.length < policyFoldersMax; above = dirname(above)) {
    if (above === home || above === dirname(above) || folder === home) break
    all.push(above)
  }
  const outermost = all.findLastIndex((one) => existsSync(join(one, '.git')))
  if (outermost >= 0) return all.slice(0, outermost + 1)
  return folder.startsWith(`${home}${sep}`) ? all : all.slice(0, 1)
}

/** A folder that is not there is where its name says. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Changes whenever the file may have changed; equal while nothing has. */
export function stampOf({ path }: PolicyFile): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = statSync(path, { bigint: true })
    return [realpathSync.native(path), dev, ino, size, mtimeNs, ctimeNs, mode].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

export type PolicyFileContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** It is there, and is not read. */
  | { readonly kind: 'refused'; readonly what: string }

/** Never waits, whatever is there. */
export function readPolicyFile({ path, folder }: PolicyFile): PolicyFileContent {
  try {
    const real = realpathSync.native(path)
    if (folder !== null && !real.startsWith(`${realPath(folder)}${sep}`))
      return { kind: 'refused', what: 'A link that leads out of the repository' }
    return readPlainFile(real)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return { kind: 'refused', what: `It cannot be read: ${message}` }
  }
}

/** Errors: those of the file system. */
function readPlainFile(path: string): PolicyFileContent {
  // A pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return { kind: 'refused', what: 'No plain file' }
    const bytes = Buffer.alloc(configFileBytesMax + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    if (length > configFileBytesMax) return { kind: 'refused', what: `Larger than ${configFileBytesMax} bytes` }
    const text = bytes.toString('utf8', 0, length)
    return text.includes('\0') ? { kind: 'refused', what: 'No text: it holds a zero byte' } : { kind: 'text', text }
  } finally {
    closeSync(file)
  }
}
