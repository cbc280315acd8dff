/** COPY of a Dockerfile, done: files of the task lie where they are to lie inside, as few layers. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { TermError } from '../../../contracts/errors.ts'
import { pathProblem } from '../folder-files.ts'
import type { BuildStep } from '../harbor/dockerfile.ts'
import type { CopyStep } from '../harbor/dockerfile-copy.ts'

export interface Placing {
  /** The folder of the Dockerfile. */
  readonly context: string
  readonly workdir: string
  /** For the copies. */
  readonly folder: string
}

interface PlacedLayer {
  readonly target: string
  readonly folder: string
}

/** One layer for the working folder, and one for each other folder into which something is put. Errors: `invalid_input`. */
export async function putInPlace(
  steps: readonly BuildStep[],
  { context, workdir, folder }: Placing,
): Promise<readonly PlacedLayer[]> {
  const targets = new Set([workdir])
  const place = (path: string) => join(folder, 'root', path)
  for (const step of steps) {
    if (step.kind === 'workdir') await mkdir(place(step.path), { recursive: true })
    if (step.kind !== 'copy') continue
    for (const path of await copied(step, context, place)) targets.add(mountable(path))
  }
  const outer = [...targets].filter((path) => ![...targets].some((other) => other !== path && isBelow(path, other)))
  for (const target of outer) await mkdir(place(target), { recursive: true })
  return outer.map((target) => ({ target, folder: place(target) }))
}

/** Below folders of the system only what is there can be mounted over: where it is not, the layer lies at the folder above it. */
function mountable(path: string): string {
  const isOfSystem = /^\/(?:usr|etc|opt|bin|sbin|lib)\//.test(path)
  return isOfSystem && !existsSync(path) ? mountable(dirname(path)) : path
}

const isBelow = (path: string, other: string): boolean => path.startsWith(other === '/' ? '/' : `${other}/`)

/** The folders inside that now have something new. */
async function copied(step: CopyStep, context: string, place: (path: string) => string): Promise<readonly string[]> {
  const { source, target, isInto, mode } = step
  if (source.kind === 'text') {
    const path = isInto ? posix.join(target, source.name) : target
    await mkdir(dirname(place(path)), { recursive: true })
    await writeFile(place(path), source.content)
    if (mode !== null) await chmod(place(path), Number.parseInt(mode, 8))
    return [dirname(path)]
  }
  const folders: string[] = []
  for (const from of matching(source.path, context, step)) {
    const isFolder = statSync(from).isDirectory()
    const path = isInto && !isFolder ? posix.join(target, basename(from)) : target
    if (dirname(path) === '/' && !isFolder)
      throw new TermError(
        'invalid_input',
        `Dockerfile, line ${step.line}: ${path} would lie in the root folder.`,
        'Put it into a folder.',
      )
    await mkdir(isFolder ? place(path) : dirname(place(path)), { recursive: true })
    await cp(from, place(path), { recursive: true, verbatimSymlinks: true })
    if (mode !== null && !isFolder) await chmod(place(path), Number.parseInt(mode, 8))
    folders.push(isFolder ? path : dirname(path))
  }
  return folders
}

function matching(path: string, context: string, { line }: CopyStep): readonly string[] {
  const problem = path === '.' || path === './' ? null : pathProblem(path)
  if (problem !== null)
    throw new TermError('invalid_input', `Dockerfile, line ${line}: "${path}" ${problem}.`, 'Copy what lies beside it.')
  const found = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reduce<readonly string[]>((folders, part) => folders.flatMap((at) => namesLike(at, part)), [context])
  if (found.length > 0) return found
  throw new TermError(
    'invalid_input',
    `Dockerfile, line ${line}: there is no "${path}" beside it.`,
    'Correct the name.',
  )
}

function namesLike(folder: string, pattern: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const literal = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const expression = new RegExp(`^${literal}$`)
  return readdirSync(folder)
    .filter((name) => expression.test(name))
    .map((name) => join(folder, name))
}
