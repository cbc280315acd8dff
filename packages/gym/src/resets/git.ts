/**
 * One copy for all episodes, in which git undoes the changes. Its repository is outside, so programs inside do not see it.
 *
 * Data that git does not keep is stored separately: empty folders, times, and rights that are more than "executable". It cannot keep folders
 * that hold repositories of their own.
 */

import { existsSync, type Stats } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidInput, machineUnfit, type TermError } from '@agentpty/protocol'
import type { Layer } from '@agentpty/protocol/gym'
import { type EntryKind, type Folder, kindOf } from '../tree/folder.ts'
import { removePath } from '../tree/remove.ts'
import { atPath, removeAt, walkTree, withFolder } from '../tree/walk.ts'
import { type Base, type FileReset, runTool } from './file-reset.ts'
import { copyInto, copyTree } from './tree-copy.ts'

/** `root`: a folder of its own, kept from episode to episode. */
export function gitReset(bases: readonly Base[], root: string): FileReset {
  const trees = bases.map((base, index) => new GitTree(base, join(root, String(index))))
  return {
    kind: 'git',
    isInMemory: false,
    isKept: true,
    prepare: () => Promise.all(trees.map((tree) => tree.reset())),
    discard: removePath,
  }
}

class GitTree {
  readonly #base: Base
  readonly #root: string
  /** Entries by their paths inside, as of `VisitedEntry`; a folder before its content. */
  readonly #noted = new Map<string, Noted>()
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
    await withFolder(this.#tree, (top) => this.#note(top))
    await this.#git('init', '-q')
    // Attribute files in the tree must not decide how git writes it.
    await writeFile(join(this.#root, 'repository/info/attributes'), '* -text -filter -ident -working-tree-encoding\n')
    await this.#git('add', '-A', '-f', '.')
    await this.#git('commit', '-q', '--allow-empty', '--no-verify', '-m', 'base')
  }

  async #undo(): Promise<void> {
    await withFolder(this.#tree, async (top) => {
      // Not by git, which does not see pipes, sockets or the content of another repository.
      for (const path of await this.#foreignIn(top)) await removeAt(top, path)
      await this.#git('reset', '-q', '--hard')
      await this.#restoreMissing(top)
      for (const [path, noted] of this.#below.toReversed()) restore(top, path, noted)
      this.#restoreTop(top)
    })
  }

  /** Returns paths that were not in the tree, or were of another kind. Git must be able to enter all other folders. */
  async #foreignIn(top: Folder): Promise<readonly string[]> {
    const foreign: string[] = []
    await walkTree(top, ({ parent, name, path, stat }) => {
      const isKept = this.#noted.get(path)?.kind === kindOf(stat)
      if (!isKept) foreign.push(path)
      else if (stat.isDirectory() && (stat.mode & 0o700) !== 0o700) parent.chmod(name, 0o700)
      return isKept
    })
    return foreign
  }

  /** Restores what git does not keep: empty folders, and the pipes and sockets of the base. */
  async #restoreMissing(top: Folder): Promise<void> {
    const others: string[] = []
    for (const [path, { kind }] of this.#below)
      atPath(top, path, (parent, name) => {
        if (parent.stat(name) !== null) return
        if (kind === 'folder') parent.makeFolder(name, 0o700).close()
        else others.push(path)
      })
    if (this.#base.folder !== null && others.length > 0) await copyInto(this.#base.folder, others, this.#tree)
  }

  get #below(): (readonly [string, Noted])[] {
    return [...this.#noted].filter(([path]) => path !== topPath)
  }

  #restoreTop(top: Folder): void {
    const noted = this.#noted.get(topPath)
    if (noted === undefined) return
    top.changeOwnMode(noted.mode)
    top.setOwnTimes(noted.modified, noted.modified)
  }

  async #note(top: Folder): Promise<void> {
    this.#noted.set(topPath, notedOf(top.ownStat()))
    await walkTree(top, ({ name, path, stat }) => {
      if (name.equals(repositoryName)) throw holdsRepository(join(this.#base.folder ?? '', path))
      this.#noted.set(path, notedOf(stat))
      return true
    })
  }

  async #git(...words: readonly string[]): Promise<void> {
    const settings = ['core.hooksPath=/dev/null', 'core.autocrlf=false', 'core.excludesFile=/dev/null', 'gc.auto=0']
    const options = settings.flatMap((setting) => ['-c', setting])
    const place = [`--git-dir=${join(this.#root, 'repository')}`, `--work-tree=${this.#tree}`, '-C', this.#tree]
    const { code, complaint } = await runTool('git', [...place, ...options, ...words], { env: gitVariables })
    if (code !== 0)
      throw machineUnfit(`git ${words[0]} has failed: ${complaint}.`, 'Choose another way: {"resetBy":"copy"}.')
  }
}

const repositoryName = Buffer.from('.git')
const topPath = ''

interface Noted {
  readonly kind: EntryKind
  readonly mode: number
  /** Seconds, as the file system has them. */
  readonly modified: number
}

const notedOf = (stat: Stats): Noted => ({
  kind: kindOf(stat),
  mode: stat.mode & 0o7777,
  modified: stat.mtimeMs / 1_000,
})

function restore(top: Folder, path: string, { kind, mode, modified }: Noted): void {
  atPath(top, path, (parent, name) => {
    const stat = parent.stat(name)
    if (stat === null) return
    if (kind !== 'link' && (stat.mode & 0o7777) !== mode) parent.chmod(name, mode)
    if (stat.mtimeMs / 1_000 !== modified) parent.setTimes(name, modified, modified)
  })
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
  return invalidInput(
    `${folder} holds a repository of git, which git cannot reset as files.`,
    'Choose another way: {"resetBy":"copy"}.',
  )
}

export const hasGit = (): boolean => ['/usr/bin/git', '/bin/git', '/usr/local/bin/git'].some((path) => existsSync(path))
