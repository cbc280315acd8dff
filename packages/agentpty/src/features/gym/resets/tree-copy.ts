/**
 * A copy of a folder that is made equal to it again and again, by touching only what has changed.
 *
 * What has changed is seen by the time that the kernel itself keeps of the last change of a file, its content, its rights or its name
 * (ctime): no program can set it. That time goes in ticks, so nobody is let in before the tick is over in which the last file was copied.
 */

import { chmodSync, lstatSync, readdirSync, type Stats, writeFileSync } from 'node:fs'
import { chmod, lstat, lutimes, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyInto, copyTree } from './copy-tree.ts'

/** Entries that are looked at before others have their turn: about 2 ms. */
const atOnce = 500

interface Entry {
  readonly isFolder: boolean
  readonly inode: number
  readonly changedMs: number
  readonly mode: number
  readonly modifiedMs: number
}

export class TreeCopy {
  /** Null: an empty folder. */
  readonly #base: string | null
  readonly #tree: string
  /** By its path inside; folders before what is in them. Null before the first copy. */
  #entries: ReadonlyMap<string, Entry> | null = null

  constructor(base: string | null, tree: string) {
    this.#base = base
    this.#tree = tree
  }

  /** Nobody may be using it. Errors: `environment`. */
  async makeEqual(): Promise<string> {
    if (this.#entries === null) await this.#copyAll()
    else await this.#restore(this.#entries)
    return this.#tree
  }

  async #copyAll(): Promise<void> {
    if (this.#base === null) await mkdir(this.#tree, { recursive: true })
    else await copyTree(this.#base, this.#tree)
    await this.#note()
  }

  async #note(): Promise<void> {
    const entries = new Map<string, Entry>()
    await walk(this.#tree, (path, stat) => void entries.set(path, entryOf(stat)))
    this.#entries = entries
    await this.#untilNextTick(entries.values())
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

  async #restore(entries: ReadonlyMap<string, Entry>): Promise<void> {
    const [missing, foreign, folders] = [new Set(entries.keys()), [] as string[], [] as string[]]
    await walk(this.#tree, (path, stat) => {
      const entry = entries.get(path)
      const isKept =
        entry !== undefined && entry.isFolder === stat.isDirectory() && (entry.isFolder || isSame(entry, stat))
      if (!isKept) foreign.push(path)
      else missing.delete(path)
      if (isKept && entry.isFolder && !isSame(entry, stat)) folders.push(path)
    })
    for (const path of foreign) await rm(join(this.#tree, path), { recursive: true, force: true })
    const isFolder = (path: string) => entries.get(path)?.isFolder === true
    for (const path of missing) if (isFolder(path)) await mkdir(join(this.#tree, path))
    const files = [...missing].filter((path) => !isFolder(path))
    if (this.#base !== null && files.length > 0) await copyInto(this.#base, files, this.#tree)
    const touched = new Set([...missing, ...[...foreign, ...missing].map(dirname), ...folders].map(inside))
    await this.#restoreFolders(entries, touched)
    const renewed = [...touched].flatMap((path): readonly (readonly [string, Entry])[] =>
      entries.has(path) ? [[path, entryOf(lstatSync(join(this.#tree, path)))]] : [],
    )
    this.#entries = new Map([...entries, ...renewed])
    await this.#untilNextTick(renewed.map(([, entry]) => entry))
  }

  /** Those inside first: what is done in a folder changes its time. */
  async #restoreFolders(entries: ReadonlyMap<string, Entry>, touched: ReadonlySet<string>): Promise<void> {
    for (const [path, { isFolder, mode, modifiedMs }] of [...entries].toReversed()) {
      if (!isFolder || !touched.has(path)) continue
      const folder = join(this.#tree, path)
      const stat = await lstat(folder)
      if ((stat.mode & 0o7777) !== mode) await chmod(folder, mode)
      if (stat.mtimeMs !== modifiedMs) await lutimes(folder, modifiedMs / 1_000, modifiedMs / 1_000)
    }
  }
}

const isSame = (entry: Entry, stat: Stats): boolean => entry.inode === stat.ino && entry.changedMs === stat.ctimeMs

/** What `dirname` says of the topmost is a dot. */
const inside = (path: string): string => (path === '.' ? '' : path)

function entryOf(stat: Stats): Entry {
  return {
    isFolder: stat.isDirectory(),
    inode: stat.ino,
    changedMs: stat.ctimeMs,
    mode: stat.mode & 0o7777,
    modifiedMs: stat.mtimeMs,
  }
}

/** Many at once, because a step for each takes ten times as long; and not all at once, because others wait. Links are not followed. */
async function walk(tree: string, visit: (path: string, stat: Stats) => void): Promise<void> {
  const paths = ['']
  for (let seen = 1; paths.length > 0; seen++) {
    const path = paths.pop() ?? ''
    const stat = lstatSync(join(tree, path))
    visit(path, stat)
    if (stat.isDirectory()) for (const name of namesIn(join(tree, path))) paths.push(join(path, name))
    if (seen % atOnce === 0) await new Promise(setImmediate)
  }
}

/** Where its owner may not look into a folder, whoever was in there has said so: it can be undone. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    chmodSync(folder, 0o700)
    return readdirSync(folder)
  }
}
