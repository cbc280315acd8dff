/**
 * A copy of a folder that is made equal to it again and again, by touching only what has changed.
 *
 * Changes are found by the ctime of each file, which the kernel sets at each change of content, rights or name. No program can set it. Its
 * clock advances in ticks, so no program may run before the tick of the last copied file is over.
 */

import { lstatSync, type Stats, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, posix } from 'node:path'
import { machineUnfit } from '@agentpty/protocol'
import type { Folder } from '../tree/folder.ts'
import { atPath, bytesOf, removeAt, type VisitedEntry, walkTree, withFolder } from '../tree/walk.ts'
import { runTool, type ToolEnd } from './file-reset.ts'

interface Entry {
  readonly isFolder: boolean
  readonly inode: number
  readonly changedMs: number
  readonly mode: number
  readonly modifiedMs: number
}

/** Entries by their path inside, as of {@link VisitedEntry}; a folder before its content, and the top, whose path is empty, first. */
type Entries = ReadonlyMap<string, Entry>

export class TreeCopy {
  /** Null: an empty folder. */
  readonly #base: string | null
  readonly #tree: string
  /** Null before the first copy. */
  #entries: Entries | null = null

  constructor(base: string | null, tree: string) {
    this.#base = base
    this.#tree = tree
  }

  /** No program may be using the copy. Errors: `machine_unfit`. */
  async makeEqual(): Promise<string> {
    const entries = this.#entries
    if (entries === null) await this.#copyAll()
    else await withFolder(this.#tree, (top) => this.#restore(top, entries))
    return this.#tree
  }

  async #copyAll(): Promise<void> {
    if (this.#base === null) await mkdir(this.#tree, { recursive: true })
    else await copyTree(this.#base, this.#tree)
    await withFolder(this.#tree, async (top) => {
      const entries = new Map<string, Entry>([['', entryOf(top.ownStat())]])
      await walkTree(top, ({ path, stat }) => {
        entries.set(path, entryOf(stat))
        return true
      })
      this.#entries = entries
      await this.#untilNextTick(entries.values())
    })
  }

  async #untilNextTick(touched: Iterable<Entry>): Promise<void> {
    const last = Math.max(0, ...[...touched].map(({ changedMs }) => changedMs))
    const probe = `${this.#tree}.tick`
    writeFileSync(probe, '')
    while (lstatSync(probe).ctimeMs <= last) {
      await new Promise(setImmediate)
      writeFileSync(probe, '')
    }
  }

  async #restore(top: Folder, entries: Entries): Promise<void> {
    const { missing, foreign, folders } = await changesIn(top, entries)
    for (const path of foreign) await removeAt(top, path)
    const isFolder = (path: string) => entries.get(path)?.isFolder === true
    for (const path of missing)
      if (isFolder(path)) atPath(top, path, (parent, name) => parent.makeFolder(name, 0o700).close())
    const files = missing.filter((path) => !isFolder(path))
    if (this.#base !== null && files.length > 0) await copyInto(this.#base, files, this.#tree)
    const touched = new Set([...missing, ...[...foreign, ...missing].map(folderOf), ...folders])
    restoreFolders(top, entries, touched)
    const renewed = [...touched].flatMap((path): readonly (readonly [string, Entry])[] => {
      const stat = entries.has(path) ? statAt(top, path) : null
      return stat === null ? [] : [[path, entryOf(stat)]]
    })
    this.#entries = new Map([...entries, ...renewed])
    await this.#untilNextTick(renewed.map(([, entry]) => entry))
  }
}

/** `missing`: gone entries, folders first. `foreign`: not in the copy, or of another kind; nothing below is named. `folders`: changed. */
async function changesIn(top: Folder, entries: Entries) {
  const missing = new Set(entries.keys())
  const foreign: string[] = []
  const folders: string[] = []
  const visit = ({ path, stat }: Pick<VisitedEntry, 'path' | 'stat'>): boolean => {
    const entry = entries.get(path)
    const isKept =
      entry !== undefined && entry.isFolder === stat.isDirectory() && (entry.isFolder || isSame(entry, stat))
    if (!isKept) foreign.push(path)
    else missing.delete(path)
    if (isKept && entry.isFolder && !isSame(entry, stat)) folders.push(path)
    return isKept
  }
  visit({ path: '', stat: top.ownStat() })
  await walkTree(top, visit)
  return { missing: [...missing], foreign, folders }
}

/** Restores inner folders first: a change in a folder changes its time. */
function restoreFolders(top: Folder, entries: Entries, touched: ReadonlySet<string>): void {
  for (const [path, { isFolder, mode, modifiedMs }] of [...entries].toReversed()) {
    if (!isFolder || !touched.has(path)) continue
    const stat = statAt(top, path)
    if (stat === null) continue
    if ((stat.mode & 0o7777) !== mode) changeMode(top, path, mode)
    if (stat.mtimeMs !== modifiedMs) changeTimes(top, path, modifiedMs / 1_000)
  }
}

const statAt = (top: Folder, path: string): Stats | null =>
  path === '' ? top.ownStat() : atPath(top, path, (parent, name) => parent.stat(name))

function changeMode(top: Folder, path: string, mode: number): void {
  if (path === '') top.changeOwnMode(mode)
  else atPath(top, path, (parent, name) => parent.chmod(name, mode))
}

function changeTimes(top: Folder, path: string, seconds: number): void {
  if (path === '') top.setOwnTimes(seconds, seconds)
  else atPath(top, path, (parent, name) => parent.setTimes(name, seconds, seconds))
}

const isSame = (entry: Entry, stat: Stats): boolean => entry.inode === stat.ino && entry.changedMs === stat.ctimeMs

/** The path of the folder that holds it; that of the top is empty. */
function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

function entryOf(stat: Stats): Entry {
  return {
    isFolder: stat.isDirectory(),
    inode: stat.ino,
    changedMs: stat.ctimeMs,
    mode: stat.mode & 0o7777,
    modifiedMs: stat.mtimeMs,
  }
}

/** Copies a tree with kinds, rights, times, links and extended attributes. `target` must not be there. Errors: `machine_unfit`. */
export async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  check(source, await runTool('cp', ['-a', '--reflink=auto', '--', source, target]))
}

/** Copies files by paths as in `VisitedEntry`. Folders on the way must be there, and no program may change them. Errors: `machine_unfit`. */
export async function copyInto(source: string, paths: readonly string[], target: string): Promise<void> {
  // By standard input, because a word of a command has to be text and a name need not be.
  const names = Buffer.concat(paths.flatMap((path) => [bytesOf(path), zero]))
  const words = ['-0', '-r', 'cp', '-a', '--reflink=auto', '--parents', '-t', target, '--']
  check(source, await runTool('xargs', words, { cwd: source, input: names }))
}

const zero = Buffer.alloc(1)

function check(source: string, { code, complaint }: ToolEnd): void {
  if (code === 0) return
  throw machineUnfit(`${source} could not be copied: ${complaint}.`, 'Is there room, and may you read all of it?')
}
