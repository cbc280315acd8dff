/** How many files a path stands for, and how many of them git tracks. Bounded in files and in time. */

import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { effectFilesMax } from '@agentpty/protocol/approvals'
import { matchesPart, statOf } from '@agentpty/shell-policy'

export interface FileCount {
  readonly files: number
  readonly bytes: number
  /** Null outside a checkout. */
  readonly tracked: number | null
  /** There are more than were counted. */
  readonly isCut: boolean
  /** A folder, or names that a `*` stands for. */
  readonly isFolder: boolean
}

/** `path` is absolute; `*` in its last part is any characters. */
export function counted(path: string, isLate: () => boolean): FileCount {
  const counter = new Counter(gitIndexAbove(dirname(path)), isLate)
  const isPattern = path.includes('*')
  const stat = isPattern ? null : statOf(path)
  const isFolder = isPattern || stat?.isDirectory() === true
  if (isPattern) counter.addMatching(dirname(path), basename(path))
  else if (isFolder) counter.addFolder(path)
  else if (stat !== null) counter.addFile(path, stat)
  return { files: counter.files, bytes: counter.bytes, tracked: counter.tracked, isCut: counter.isCut, isFolder }
}

class Counter {
  files = 0
  bytes = 0
  tracked: number | null
  isCut = false
  readonly #index: GitIndex | null
  readonly #isLate: () => boolean

  constructor(index: GitIndex | null, isLate: () => boolean) {
    this.#index = index
    this.#isLate = isLate
    this.tracked = index === null ? null : 0
  }

  addMatching(folder: string, pattern: string): void {
    if (folder.includes('*')) return
    for (const entry of entriesOf(folder)) if (fits(entry.name, pattern)) this.#add(join(folder, entry.name), entry)
  }

  addFolder(folder: string): void {
    for (const entry of entriesOf(folder)) {
      this.isCut ||= this.files >= effectFilesMax || this.#isLate()
      if (this.isCut) return
      this.#add(join(folder, entry.name), entry)
    }
  }

  addFile(path: string, { size }: Stats): void {
    this.files++
    this.bytes += size
    if (this.tracked !== null && this.#index?.tracked.has(relative(this.#index.root, path)) === true) this.tracked++
  }

  #add(path: string, entry: Dirent): void {
    if (entry.isDirectory()) {
      this.addFolder(path)
      return
    }
    const stat = statOf(path)
    if (stat !== null) this.addFile(path, stat)
  }
}

/** Matches a name like a shell: `*` does not match a leading dot. */
function fits(name: string, pattern: string): boolean {
  return (!name.startsWith('.') || pattern.startsWith('.')) && matchesPart(name, pattern)
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Not ours to read, or gone: the shell will meet the same.
    return []
  }
}

const indexBytesMax = 16 << 20
const linkBytesMax = 4_096
const headerBytes = 12
const fixedBytes = 62 // of an entry, before its name
const extendedFlag = 0x40 // in the first byte of the flags
const levelsMax = 40

interface GitIndex {
  /** The checkout's folder. */
  readonly root: string
  /** Paths below it, with `/`. */
  readonly tracked: ReadonlySet<string>
}

/**
 * Tracked files, read from git’s index (gitformat-index, versions 2 to 4): a repository can configure what the git program runs.
 *
 * Returns the index of the checkout that contains the folder; null without one, or in an unknown format.
 */
function gitIndexAbove(folder: string): GitIndex | null {
  let root = folder
  for (let level = 0; level < levelsMax; level++) {
    const index = readBounded(join(gitFolder(root) ?? '', 'index'), indexBytesMax)
    if (index !== null) return withTracked(root, index)
    if (root === dirname(root)) return null
    root = dirname(root)
  }
  return null
}

/** `.git`, or where it leads in a second working tree. */
function gitFolder(root: string): string | null {
  const path = join(root, '.git')
  const link = /^gitdir: (.+)$/m.exec(readBounded(path, linkBytesMax)?.toString('utf8') ?? '')?.[1]
  return link === undefined ? path : resolve(root, link)
}

function withTracked(root: string, index: Buffer): GitIndex | null {
  const version = index.length < headerBytes || index.toString('latin1', 0, 4) !== 'DIRC' ? 0 : index.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const tracked = new Set<string>()
  let at = headerBytes
  let before = Buffer.alloc(0)
  for (let left = index.readUInt32BE(8); left > 0 && at + fixedBytes < index.length; left--) {
    const isExtended = version >= 3 && ((index[at + fixedBytes - 2] ?? 0) & extendedFlag) !== 0
    const begin = at + fixedBytes + (isExtended ? 2 : 0)
    const cut = version === 4 ? offsetAt(index, begin) : { value: before.length, end: begin }
    const end = index.indexOf(0, cut.end)
    if (end < 0) return null
    const name = Buffer.concat([
      before.subarray(0, Math.max(0, before.length - cut.value)),
      index.subarray(cut.end, end),
    ])
    tracked.add(name.toString('utf8'))
    before = name
    // Entries of the older versions end at a multiple of eight bytes, with one to eight zeros.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return { root, tracked }
}

/** A number of seven bits a byte, as packs have it. */
function offsetAt(index: Buffer, begin: number): { readonly value: number; readonly end: number } {
  let at = begin
  let byte = index[begin] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at - begin < 5) {
    byte = index[++at] ?? 0
    value = ((value + 1) << 7) | (byte & 0x7f)
  }
  return { value, end: at + 1 }
}

function readBounded(path: string, bytesMax: number): Buffer | null {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= bytesMax ? readFileSync(path) : null
  } catch {
    // There is none, or none for us.
    return null
  }
}
