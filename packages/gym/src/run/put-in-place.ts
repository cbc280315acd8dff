/** COPY of a Dockerfile: puts files of the task in their folders inside, as few layers. */

import { closeSync, existsSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { invalidInput, limitReached, type TermError } from '@agentpty/protocol'
import { folderDepthMax } from '@agentpty/protocol/gym'
import type { BuildStep } from '../harbor/dockerfile.ts'
import type { CopyStep } from '../harbor/dockerfile-copy.ts'
import { globParts, matchesName } from '../harbor/host-variables.ts'
import { CopyBudget, copyContents, copyEntry, enterFolder, writeAll } from '../tree/copy.ts'
import { Folder } from '../tree/folder.ts'
import { pathProblem, resolveBelow } from '../tree/resolve.ts'

export interface Placing {
  /** The folder of the Dockerfile. */
  readonly context: string
  readonly workdir: string
  /** For the copies. */
  readonly folder: string
}

const rootName = 'root'
/** A task may name any mode; a set-ID bit on a file of the host would let other users of the machine run it as its owner. */
const rights = 0o777

/** Returns one layer for the working folder, and one for each other target folder. Errors: `invalid_input`, `limit_reached`. */
export async function putInPlace(steps: readonly BuildStep[], { context, workdir, folder }: Placing) {
  const root = new LayerRoot(folder)
  try {
    const targets = new Set([workdir])
    for (const step of steps) {
      if (step.kind === 'workdir') root.makeFolder(step.path, 'WORKDIR')
      if (step.kind !== 'copy') continue
      for (const path of copied(step, context, root)) targets.add(mountable(path))
    }
    const outer = [...targets].filter((path) => ![...targets].some((other) => other !== path && isBelow(path, other)))
    for (const target of outer) root.makeFolder(target, 'WORKDIR')
    return outer.map((target) => ({ target, folder: join(folder, rootName, target) }))
  } finally {
    root.close()
  }
}

/** Returns the nearest mountable path: below folders of the system only existing paths can be mounted over. */
function mountable(path: string): string {
  const isOfSystem = /^\/(?:usr|etc|opt|bin|sbin|lib)\//.test(path)
  return isOfSystem && !existsSync(path) ? mountable(dirname(path)) : path
}

const isBelow = (path: string, other: string): boolean => path.startsWith(other === '/' ? '/' : `${other}/`)

/** The tree of the layers. It follows no links that the task copied into it, so everything that is written is in the tree. */
class LayerRoot {
  readonly #root: Folder
  readonly budget = new CopyBudget()

  constructor(folder: string) {
    const above = Folder.open(folder)
    try {
      this.#root = enterFolder(above, Buffer.from(rootName), folder)
    } finally {
      above.close()
    }
  }

  close(): void {
    this.#root.close()
  }

  makeFolder(path: string, shown: string): void {
    this.in(path, shown, () => undefined)
  }

  /** Calls `use` with the folder at an absolute path, made where it is missing. Errors: `invalid_input` for a link on the way. */
  in(path: string, shown: string, use: (folder: Folder) => void): void {
    const opened: Folder[] = []
    const parts = path.split('/').filter((one) => one !== '')
    if (parts.length > folderDepthMax)
      throw limitReached(`${shown}: more than ${folderDepthMax} folders in each other.`, 'Shorten the path.')
    try {
      let at = this.#root
      for (const part of parts) {
        at = enterFolder(at, Buffer.from(part), `${shown}: ${path}`)
        opened.push(at)
      }
      use(at)
    } finally {
      for (const one of opened) one.close()
    }
  }
}

/** The folders inside that now have something new. */
function copied(step: CopyStep, context: string, root: LayerRoot): readonly string[] {
  const { source, target, isInto, line } = step
  const shown = `Dockerfile, line ${line}`
  if (source.kind === 'text') {
    const path = isInto ? posix.join(target, source.name) : target
    root.in(dirname(path), shown, (folder) => writeText(folder, Buffer.from(basename(path)), source.content, step))
    return [dirname(path)]
  }
  return matching(source.path, context, step).map((from) => copyOne(from, { step, context, root, target, isInto }))
}

interface CopyPlaces {
  readonly step: CopyStep
  readonly context: string
  readonly root: LayerRoot
  readonly target: string
  readonly isInto: boolean
}

/** `from`: a path from the context. */
function copyOne(from: string, { step, context, root, target, isInto }: CopyPlaces): string {
  const shown = `Dockerfile, line ${step.line}`
  const placed = resolveBelow(context, from, (found) => {
    const { budget } = root
    if (found.kind === 'folder') {
      root.in(target, shown, (to) => copyContents({ from: found.folder, to, budget, shown: `${shown}: ${from}` }))
      return target
    }
    const path = isInto ? posix.join(target, basename(from)) : target
    if (dirname(path) === '/')
      throw invalidInput(`${shown}: ${path} would lie in the root folder.`, 'Put it into a folder.')
    root.in(dirname(path), shown, (to) => {
      const name = Buffer.from(basename(path))
      copyEntry({ from: found.parent, to, budget, shown }, found.name, name)
      if (step.mode !== null) to.chmod(name, Number.parseInt(step.mode, 8) & rights)
    })
    return dirname(path)
  })
  if (placed === null) throw nothingThere(from, step)
  return placed
}

function writeText(folder: Folder, name: Buffer, content: string, { mode, line }: CopyStep): void {
  const before = folder.stat(name)
  if (before?.isDirectory() === true)
    throw invalidInput(`Dockerfile, line ${line}: ${name.toString()} is a folder.`, 'Choose another name.')
  if (before !== null) folder.unlink(name)
  const descriptor = folder.createFile(name, (mode === null ? 0o644 : Number.parseInt(mode, 8)) & rights)
  try {
    writeAll(descriptor, Buffer.from(content))
  } finally {
    closeSync(descriptor)
  }
}

/** Paths from the context. Errors: `invalid_input` where there is none. */
function matching(path: string, context: string, step: CopyStep): readonly string[] {
  const problem = path === '.' || path === './' ? null : pathProblem(path)
  if (problem !== null)
    throw invalidInput(`Dockerfile, line ${step.line}: "${path}" ${problem}.`, 'Copy what lies beside it.')
  const found = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reduce<readonly string[]>((folders, part) => folders.flatMap((at) => namesLike(context, at, part)), ['.'])
  if (found.length > 0) return found
  throw nothingThere(path, step)
}

const nothingThere = (path: string, { line }: CopyStep): TermError =>
  invalidInput(`Dockerfile, line ${line}: there is no "${path}" beside it.`, 'Correct the name.')

function namesLike(context: string, at: string, pattern: string): readonly string[] {
  const below = (name: string) => (at === '.' ? name : `${at}/${name}`)
  const glob = globParts(pattern)
  const names = resolveBelow(context, at, (found) =>
    found.kind === 'folder' ? found.folder.names().map((name) => name.toString()) : [],
  )
  return (names ?? []).filter((name) => matchesName(glob, name)).map(below)
}
