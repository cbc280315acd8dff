/** How many files a path stands for, and how many of them git tracks. Bounded in files and in time. */

import { type Dirent, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { effectFilesMax } from '@agentpty/protocol/approvals'
import { matchesPart, statOf } from '@agentpty/shell-policy'
import { type GitIndex, gitIndexAbove } from './git-index.ts'

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

/** As a shell does: `*` is no leading dot. */
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
