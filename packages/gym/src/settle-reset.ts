/** Finds a way of resetting files that works on this machine. It is tried once, because many settings can forbid it. */

import { constants, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidInput, isTermError, TermError } from '@agentpty/protocol'
import { type EnvironmentSpec, execMsDefault, type ResetKind } from '@agentpty/protocol/gym'
import { realOf, statOf } from '@agentpty/shell-policy'
import { homeInside, hostname, shellInside } from './inside.ts'
import type { MakeContainer } from './make-container.ts'
import { copyReset } from './resets/copy.ts'
import { type Base, type FileReset, overlayReset } from './resets/file-reset.ts'
import { gitReset, hasGit } from './resets/git.ts'
import { removePath } from './tree/remove.ts'

/** Fastest first. */
const inOrder: readonly ResetKind[] = ['overlay-memory', 'overlay-disk', 'copy']

/** Checks each way of resetting on this machine: the reason why it does not work, or null. */
export class Ways {
  readonly #makeContainer: MakeContainer
  readonly #folder: string
  readonly #problems = new Map<ResetKind, Promise<string | null>>()

  constructor(makeContainer: MakeContainer, folder: string) {
    this.#makeContainer = makeContainer
    this.#folder = folder
  }

  problem(kind: ResetKind): Promise<string | null> {
    const known = this.#problems.get(kind) ?? this.#try(kind)
    this.#problems.set(kind, known)
    return known
  }

  async #try(kind: ResetKind): Promise<string | null> {
    if (kind === 'git') return hasGit() ? null : 'git is not installed'
    const base = join(this.#folder, kind, 'base')
    const stage = join(this.#folder, kind, 'stage')
    await mkdir(join(base, 'a'), { recursive: true })
    await writeFile(join(base, 'b'), 'b\n')
    await mkdir(stage, { recursive: true })
    const fileReset = resetOf(kind, [{ target: '/app', folder: base, system: null }], stage)
    try {
      const layers = await fileReset.prepare(stage)
      const { isInMemory } = fileReset
      const container = await this.#makeContainer({ stage, layers, spec: { network: 'off' }, isInMemory })
      const limits = { cwd: '/app', env: {}, timeoutMs: execMsDefault, outputBytesMax: 2_000 }
      const { exitCode, stderr } = await container.exec(['/bin/sh', '-ec', whatMustWork], limits)
      await container.end()
      return exitCode === 0 ? null : stderr.toString().trim() || `exit code ${exitCode}`
    } catch (error) {
      if (!isTermError(error)) throw error
      return `${error.message} ${error.hint}`
    } finally {
      await removePath(join(this.#folder, kind))
    }
  }
}

/** Commands that fail where an overlay is only partly allowed. */
const whatMustWork = 'rmdir a; mkdir a; echo a > a/c; mv a d; cat d/c > /dev/null; echo more >> b; mv b e; rm e'

interface ResetParts {
  readonly folder: string
  readonly ways: Ways
  /** The path on this machine of a system folder inside; null where it has none. */
  readonly systemOf: (target: string) => string | null
}

/** Errors: `sandbox_unavailable`, `invalid_input`. */
export async function settleReset(spec: EnvironmentSpec, { folder, ways, systemOf }: ResetParts): Promise<FileReset> {
  const bases = basesOf(spec, systemOf)
  const kind = await settleKind(spec, ways)
  const above = bases.find(({ system }) => system !== null)
  if (above !== undefined && (kind === 'copy' || kind === 'git'))
    throw new TermError(
      'sandbox_unavailable',
      `${above.target} is a folder of the system, and files are reset by ${kind} here, which cannot lay anything above it.`,
      'Put the files elsewhere, or use a machine with overlays.',
    )
  return resetOf(kind, bases, join(folder, 'kept'))
}

/** Outer ones first: an inner one is mounted in it. */
function basesOf({ workdir, files, layers }: EnvironmentSpec, systemOf: ResetParts['systemOf']): readonly Base[] {
  const given = [
    ...layers,
    ...(layers.some(({ target }) => target === workdir) ? [] : [{ target: workdir, folder: null }]),
  ]
  const bases = given.map(({ target, folder }) => ({
    target,
    folder: target === workdir && files !== undefined ? files : folder,
    system: systemOf(target),
  }))
  const twice = bases.find(({ target }, index) => bases.findIndex((one) => one.target === target) !== index)
  if (twice !== undefined) throw invalidInput(`Two layers lie at ${twice.target}.`, 'Put them into one folder.')
  const missing = bases.find(({ folder }) => folder !== null && !isFolder(folder))
  if (missing !== undefined)
    throw invalidInput(`"${missing.folder}" is no folder.`, 'Make it first, or give another one.')
  return bases.toSorted((a, b) => a.target.length - b.target.length)
}

const isFolder = (path: string): boolean => statOf(realOf(path) ?? path)?.isDirectory() === true

function resetOf(kind: ResetKind, bases: readonly Base[], kept: string): FileReset {
  if (kind === 'git') return gitReset(bases, kept)
  return kind === 'copy' ? copyReset(bases, kept) : overlayReset(bases, kind === 'overlay-memory')
}

async function settleKind({ isolation, resetBy }: EnvironmentSpec, ways: Ways): Promise<ResetKind> {
  if (isolation === 'none') {
    if (resetBy === 'auto' || resetBy === 'copy' || resetBy === 'git') return resetBy === 'git' ? 'git' : 'copy'
    throw invalidInput(`${resetBy} needs a container.`, 'Without one files are reset by "copy" or "git".')
  }
  if (resetBy !== 'auto') {
    const problem = await ways.problem(resetBy)
    if (problem === null) return resetBy
    throw new TermError(
      'sandbox_unavailable',
      `${resetBy} does not work here: ${problem}.`,
      'Ask for {"resetBy":"auto"}.',
    )
  }
  const problems: string[] = []
  for (const kind of inOrder) {
    const problem = await ways.problem(kind)
    if (problem === null) return kind
    problems.push(`${kind}: ${problem}`)
  }
  throw new TermError(
    'sandbox_unavailable',
    `No container works here. ${problems.join(' ')}`,
    'Ask for {"isolation":"none"}.',
  )
}

// The /etc of containers: the world-readable part of this machine's, with accounts of its own. Made once by each server.

/** Files that name this machine or its users, and files of secrets, even world-readable ones. */
const notShown =
  /^(?:passwd-?|group-?|g?shadow-?|subuid-?|subgid-?|sudoers(?:\.d)?|ssh|machine-id|hostname|hosts|mtab|fstab|crypttab|krb5\.keytab|wireguard|NetworkManager|apparmor.*|systemd)$/

/** The size bound: no file in /etc that programs read at their start is larger. */
const fileBytesMax = 4 * 1024 * 1024
const everybodyReads = 0o004

const ownFiles: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:${homeInside}:${shellInside}\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: 'root:x:0:\nnogroup:x:65534:\n',
  hostname: `${hostname}\n`,
  hosts: `127.0.0.1 localhost ${hostname}\n::1 localhost\n`,
}

/** `folder` must not be there. */
export async function makeEtcFolder(folder: string): Promise<void> {
  await copyShown('/etc', folder, (name) => !notShown.test(name))
  await Promise.all(Object.entries(ownFiles).map(([name, text]) => writeFile(join(folder, name), text)))
}

async function copyShown(source: string, target: string, isShown: (name: string) => boolean): Promise<void> {
  await mkdir(target, { mode: 0o755 })
  const entries = await readdir(source, { withFileTypes: true })
  await Promise.all(entries.filter(({ name }) => isShown(name)).map((entry) => copyOne(entry, source, target)))
}

async function copyOne(entry: Dirent, from: string, to: string): Promise<void> {
  const source = join(from, entry.name)
  const target = join(to, entry.name)
  if (entry.isSymbolicLink()) return symlink(await readlink(source), target)
  const { mode, size } = await lstat(source)
  if ((mode & everybodyReads) === 0) return undefined
  if (entry.isDirectory()) return copyShown(source, target, () => true)
  if (entry.isFile() && size <= fileBytesMax) return copyFile(source, target, constants.COPYFILE_FICLONE)
  return undefined
}
