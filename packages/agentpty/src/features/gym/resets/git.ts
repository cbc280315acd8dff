/**
 * One copy for all episodes, in which git undoes what has changed. Its repository lies outside, so programs inside do not see it.
 *
 * What git does not keep is kept beside it: empty folders, times, and rights that are more than "executable". It cannot keep folders that
 * hold repositories of their own.
 */

import { existsSync } from 'node:fs'
import { chmod, lstat, lutimes, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TermError } from '../../../contracts/errors.ts'
import type { Layer } from '../../../contracts/gym/container.ts'
import { copyTree } from './copy-tree.ts'
import type { Base, FileReset } from './file-reset.ts'
import { removeFolder } from './remove-folder.ts'
import { runTool } from './run-tool.ts'

/** `root`: a folder of its own, kept from episode to episode. */
export function gitReset(bases: readonly Base[], root: string): FileReset {
  const trees = bases.map((base, index) => new GitTree(base, join(root, String(index))))
  return {
    kind: 'git',
    isInMemory: false,
    isKept: true,
    prepare: () => Promise.all(trees.map((tree) => tree.reset())),
    discard: removeFolder,
  }
}

class GitTree {
  readonly #base: Base
  readonly #root: string
  /** By their paths inside, whatever is in a folder before the folder. */
  readonly #noted: Noted[] = []
  #isMade = false

  constructor(base: Base, root: string) {
    this.#base = base
    this.#root = root
  }

  get #tree(): string {
    return join(this.#root, 'tree')
  }

  async reset(): Promise<Layer> {
    if (this.#isMade) await this.#undo()
    else await this.#make()
    this.#isMade = true
    return { target: this.#base.target, lowers: null, folder: this.#tree }
  }

  async #make(): Promise<void> {
    await mkdir(this.#root, { recursive: true })
    if (this.#base.folder === null) await mkdir(this.#tree)
    else await copyTree(this.#base.folder, this.#tree)
    await this.#note('')
    await this.#git('init', '-q')
    // What lies in the tree may not say how git writes it.
    await writeFile(join(this.#root, 'repository/info/attributes'), '* -text -filter -ident -working-tree-encoding\n')
    await this.#git('add', '-A', '-f', '.')
    await this.#git('commit', '-q', '--allow-empty', '--no-verify', '-m', 'base')
  }

  async #undo(): Promise<void> {
    await this.#openAll(this.#tree)
    await this.#git('reset', '-q', '--hard')
    // Twice: what looks like a repository is spared otherwise.
    await this.#git('clean', '-q', '-f', '-f', '-d', '-x')
    await rm(join(this.#tree, '.git'), { recursive: true, force: true })
    for (const one of this.#noted) if (one.isFolder) await mkdir(join(this.#tree, one.path), { recursive: true })
    for (const one of this.#noted) await restore(join(this.#tree, one.path), one)
  }

  /** Git must be able to go into every folder. */
  async #openAll(folder: string): Promise<void> {
    await chmod(folder, 0o700)
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries) if (entry.isDirectory()) await this.#openAll(join(folder, entry.name))
  }

  async #note(path: string): Promise<void> {
    const entries = await readdir(join(this.#tree, path), { withFileTypes: true })
    if (entries.some(({ name }) => name === '.git')) throw holdsRepository(join(this.#base.folder ?? '', path))
    for (const entry of entries) {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) await this.#note(inside)
      else this.#noted.push(await noted(this.#tree, inside))
    }
    this.#noted.push(await noted(this.#tree, path))
  }

  async #git(...words: readonly string[]): Promise<void> {
    const settings = [
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.autocrlf=false',
      '-c',
      'core.excludesFile=/dev/null',
      '-c',
      'gc.auto=0',
    ]
    const place = [`--git-dir=${join(this.#root, 'repository')}`, `--work-tree=${this.#tree}`, '-C', this.#tree]
    const { code, complaint } = await runTool('git', [...place, ...settings, ...words], { env: gitVariables })
    if (code !== 0)
      throw new TermError(
        'environment',
        `git ${words[0]} has failed: ${complaint}.`,
        'Choose another way: {"resetBy":"copy"}.',
      )
  }
}

interface Noted {
  readonly path: string
  readonly isFolder: boolean
  readonly isLink: boolean
  readonly mode: number
  /** Seconds, as the file system has them. */
  readonly changed: number
}

async function noted(tree: string, path: string): Promise<Noted> {
  const stat = await lstat(join(tree, path))
  return {
    path,
    isFolder: stat.isDirectory(),
    isLink: stat.isSymbolicLink(),
    mode: stat.mode & 0o7777,
    changed: stat.mtimeMs / 1_000,
  }
}

async function restore(path: string, { isLink, mode, changed }: Noted): Promise<void> {
  const stat = await lstat(path)
  if (!isLink && (stat.mode & 0o7777) !== mode) await chmod(path, mode)
  if (stat.mtimeMs / 1_000 !== changed) await lutimes(path, changed, changed)
}

const gitVariables = {
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'agentpty',
  GIT_AUTHOR_EMAIL: 'agentpty@localhost',
  GIT_COMMITTER_NAME: 'agentpty',
  GIT_COMMITTER_EMAIL: 'agentpty@localhost',
}

function holdsRepository(folder: string): TermError {
  return new TermError(
    'invalid_input',
    `${folder} holds a repository of git, which git cannot reset as files.`,
    'Choose another way: {"resetBy":"copy"}.',
  )
}

/** Whether git is there to be used. */
export const hasGit = (): boolean => ['/usr/bin/git', '/bin/git', '/usr/local/bin/git'].some((path) => existsSync(path))
