/**
 * The rules that apply to a folder now. Files are checked when the rules are read, twice a second at most. There is no
 * timer and no watcher, and a change counts from the next line on.
 *
 * An invalid file does not count: its last valid rules stay, and its state names the error.
 */

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import {
  type Clock,
  configFileBytesMax,
  policyFoldersKeptMax,
  policyFoldersMax,
  policyFreshMs,
} from '@agentpty/protocol'
import type { PolicyFileKind, PolicyFileState } from '@agentpty/protocol/policy'
import {
  countRules,
  joinRules,
  noRules,
  type OwnPatterns,
  type PolicyRules,
  type ReadRules,
  readRules,
  rulesOfPatterns,
  unreadable,
} from '@agentpty/shell-policy'

export interface RulesInUse {
  /** All together. The same object for as long as nothing changes. */
  readonly rules: PolicyRules
  readonly user: PolicyRules
  /** The rules that restrict further, including those of the program itself. */
  readonly repositories: readonly PolicyRules[]
  /** Those that are there, and the user’s own. */
  readonly files: readonly PolicyFileState[]
}

/** Reads the rules once, as they are now. `folders`: those of a terminal and of its opener. */
export function loadPolicyRules(folders: readonly string[], places: PolicyPlaces): RulesInUse {
  const read = policyFilesFor(folders, places).map((file) => lookAt(file, places, null))
  return together(read, { guarded: places.guarded ?? [], own: null })
}

export interface PolicyRulesWatch {
  /** Returns the rules that apply in all of these folders together. */
  readonly at: (folders: readonly string[]) => RulesInUse
  /** Adds rules of the program itself, for as long as it runs, in every folder; in place of those that it added before. */
  readonly add: (own: OwnPatterns, name: string) => void
}

/** Called when a file is found for the first time, and when one has changed. */
export type PolicyFileSeen = (file: PolicyFileState) => void

export function watchPolicyRules(
  places: PolicyPlaces,
  clock: Pick<Clock, 'now'>,
  seen: PolicyFileSeen = () => {},
): PolicyRulesWatch {
  const watch = new Watch(places, clock, seen)
  return { at: (folders) => watch.at(folders), add: (own, name) => watch.add(rulesOfPatterns(own, name)) }
}

/** One file as it was last seen. */
interface SeenFile {
  readonly file: PolicyFile
  readonly stamp: string
  readonly rules: PolicyRules
  readonly state: PolicyFileState
  /** The last valid rules; null when it never was valid. */
  readonly good: PolicyRules | null
}

interface SeenFolders {
  readonly lookedAt: number
  readonly files: readonly SeenFile[]
  readonly inUse: RulesInUse
}

class Watch {
  readonly #places: PolicyPlaces
  readonly #clock: Pick<Clock, 'now'>
  /** The one that was asked for last is the last one. */
  readonly #folders = new Map<string, SeenFolders>()
  readonly #files = new Map<string, SeenFile>()
  readonly #seen: PolicyFileSeen
  #own: PolicyRules | null = null

  constructor(places: PolicyPlaces, clock: Pick<Clock, 'now'>, seen: PolicyFileSeen) {
    this.#places = places
    this.#clock = clock
    this.#seen = seen
  }

  add(own: PolicyRules): void {
    this.#own = own
    this.#folders.clear()
  }

  at(folders: readonly string[]): RulesInUse {
    const key = folders.join('\0')
    const seen = this.#folders.get(key)
    const now = this.#clock.now()
    if (seen !== undefined && now - seen.lookedAt < policyFreshMs) return seen.inUse
    const files = policyFilesFor(folders, this.#places).map((file) => this.#lookAgain(file))
    const isSame =
      seen !== undefined && files.length === seen.files.length && files.every((one, at) => one === seen.files[at])
    const inUse = isSame ? seen.inUse : together(files, { guarded: this.#places.guarded ?? [], own: this.#own })
    this.#folders.delete(key)
    this.#folders.set(key, { lookedAt: now, files, inUse })
    this.#forget()
    return inUse
  }

  #lookAgain(file: PolicyFile): SeenFile {
    const before = this.#files.get(file.path) ?? null
    if (before !== null && before.stamp === stampOf(file)) return before
    const seen = lookAt(file, this.#places, before)
    this.#files.set(file.path, seen)
    if (before !== null || seen.state.state !== 'absent') this.#seen(seen.state)
    return seen
  }

  #forget(): void {
    for (const key of this.#folders.keys()) {
      if (this.#folders.size <= policyFoldersKeptMax) return
      this.#folders.delete(key)
      const used = new Set([...this.#folders.values()].flatMap(({ files }) => files.map(({ file }) => file.path)))
      for (const path of this.#files.keys()) if (!used.has(path)) this.#files.delete(path)
    }
  }
}

function lookAt(file: PolicyFile, { home }: PolicyPlaces, before: SeenFile | null): SeenFile {
  // Before it is read: what changes in between is seen the next time.
  const stamp = stampOf(file)
  const content = readPolicyFile(file)
  const { path, kind } = file
  if (content.kind === 'absent')
    return { file, stamp, rules: noRules, good: null, state: { path, kind, state: 'absent', rules: 0, problems: [] } }
  const read: ReadRules =
    content.kind === 'text'
      ? readRules({ path, kind, text: content.text }, { home, folder: file.folder })
      : unreadable(file, { line: 1, what: content.what })
  const good = read.isValid ? read.rules : (before?.good ?? null)
  const rules = good ?? read.rules
  const state = read.isValid ? 'used' : good === null ? 'broken' : 'kept'
  return { file, stamp, rules, good, state: { path, kind, state, rules: countRules(rules), problems: read.problems } }
}

interface Besides {
  readonly guarded: readonly string[]
  /** The rules of the program itself. */
  readonly own: PolicyRules | null
}

function together(seen: readonly SeenFile[], { guarded, own }: Besides): RulesInUse {
  const [first, ...others] = seen
  const user = { ...(first?.rules ?? noRules), guarded }
  const found = others.map(({ rules }) => rules).filter((rules) => rules !== noRules)
  const repositories = own === null ? found : [...found, own]
  const files = seen.map(({ state }) => state).filter(({ kind, state }) => kind === 'user' || state !== 'absent')
  return { rules: joinRules(user, ...repositories), user, repositories, files }
}

// The user’s rules and those of repositories around a folder. A repository is not trusted: plain files of bounded size, no links out.

interface PolicyFile {
  readonly path: string
  readonly kind: PolicyFileKind
  /** The base of its relative patterns, which must contain the file; null for the user’s own. */
  readonly folder: string | null
}

interface PolicyPlaces {
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
function policyFilesFor(folders: readonly string[], { configPath, home }: PolicyPlaces): readonly PolicyFile[] {
  const all = new Set(folders.flatMap((folder) => foldersAbove(realPath(folder), realPath(home))))
  const own: PolicyFile = { path: configPath, kind: 'user', folder: null }
  const others = [...all].flatMap((folder) =>
    inRepositories.map(([kind, name]): PolicyFile => ({ path: join(folder, name), kind, folder })),
  )
  return [own, ...others]
}

/** The folder and those up to its outermost repository (an inner one must not shake off rules); else up to the home, or it alone. */
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
function stampOf({ path }: PolicyFile): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = statSync(path, { bigint: true })
    return [realpathSync.native(path), dev, ino, size, mtimeNs, ctimeNs, mode].join(' ')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

type PolicyFileContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** It is there, and is not read. */
  | { readonly kind: 'refused'; readonly what: string }

/** Never waits, whatever is there. */
function readPolicyFile({ path, folder }: PolicyFile): PolicyFileContent {
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
