/**
 * Paths in a folder that another party has filled. A path leads only to what is below the folder: `..` above it, absolute paths, and links that
 * lead out are refused. The folders on the way are opened one by one, so what a path means cannot change while it is followed.
 */

import { isAbsolute, join } from 'node:path'
import { invalidInput, limitReached, type TermError } from '@agentpty/protocol'
import { Folder, isCode, kindOf } from './folder.ts'

/** The most links on one path, as in the kernel. */
const linksMax = 40

/** Says what is wrong with a path that should lead to something below a folder; null when nothing is. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty'
  if (path.includes('\0')) return 'has a zero character'
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path)) return 'is absolute; write it from the folder'
  if (path.split(/[\\/]/).includes('..')) return 'has "..", which may lead out of the folder'
  return null
}

/** The entry at the end of a path. Both are valid only while `use` of {@link resolveBelow} runs. */
export type Found =
  | { readonly kind: 'folder'; readonly folder: Folder }
  /** `kind` is not `link`: those were followed. */
  | { readonly kind: 'file' | 'other'; readonly parent: Folder; readonly name: Buffer }

/**
 * Calls `use` with what the path leads to below `root`. Returns null when nothing is there, a link to nothing included.
 *
 * `path`: from the root; `.` is the root itself. Links are followed while they stay below the root.
 * Errors: `invalid_input` for a path that leads out, `limit_reached` for one of more than 40 links.
 */
export function resolveBelow<Result>(root: string, path: string, use: (found: Found) => Result): Result | null {
  const problem = path === '.' ? null : pathProblem(path)
  if (problem !== null) throw invalidInput(`The path "${path}" ${problem}.`, 'Name a file below the folder.')
  const walk = Walk.from(root)
  if (walk === null) return null
  try {
    const found = walk.follow(path, join(root, path), root)
    return found === null ? null : use(found)
  } catch (error) {
    // The tree was changed meanwhile: what was there is gone.
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null
    throw error
  } finally {
    walk.close()
  }
}

class Walk {
  /** The folders from the root to where the path has come. */
  readonly #open: [Folder, ...Folder[]]

  private constructor(root: Folder) {
    this.#open = [root]
  }

  /** Null where the root is no folder. */
  static from(root: string): Walk | null {
    try {
      return new Walk(Folder.open(root))
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) return null
      throw error
    }
  }

  follow(path: string, shown: string, root: string): Found | null {
    let parts: readonly Buffer[] = partsOf(Buffer.from(path))
    let links = 0
    while (parts.length > 0) {
      const [part = Buffer.alloc(0), ...rest] = parts
      parts = rest
      if (part.equals(up)) {
        if (!this.#goUp()) throw leadsOut(shown, root)
        continue
      }
      const parent = this.#here
      const stat = parent.stat(part)
      if (stat === null) return null
      const kind = kindOf(stat)
      if (kind === 'link') {
        const target = parent.readLink(part)
        if (target[0] === 0x2f) throw leadsOut(shown, root)
        if (++links > linksMax) throw tooManyLinks(shown)
        parts = [...partsOf(target), ...rest]
      } else if (kind === 'folder') this.#open.push(parent.folder(part))
      else return rest.length > 0 ? null : { kind, parent, name: part }
    }
    return { kind: 'folder', folder: this.#here }
  }

  get #here(): Folder {
    return this.#open.at(-1) ?? this.#open[0]
  }

  #goUp(): boolean {
    if (this.#open.length === 1) return false
    this.#open.pop()?.close()
    return true
  }

  close(): void {
    for (const folder of this.#open) folder.close()
  }
}

const up = Buffer.from('..')
const here = Buffer.from('.')

/** The names of a path; empty ones and `.` say nothing. */
export function partsOf(path: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  let from = 0
  for (let at = 0; at <= path.length; at++) {
    if (at < path.length && path[at] !== 0x2f) continue
    const part = path.subarray(from, at)
    if (part.length > 0 && !part.equals(here)) parts.push(part)
    from = at + 1
  }
  return parts
}

const tooManyLinks = (shown: string): TermError =>
  limitReached(`${shown} goes through more than ${linksMax} links.`, 'Put a copy in place of the link.')

const leadsOut = (shown: string, root: string): TermError =>
  invalidInput(`${shown} leads out of ${root}.`, 'Put a copy in place of the link.')
