/** Which tasks a person means: folders of tasks, folders that hold such folders, and what comes with agentpty by its name. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { folderFilesMax } from '@agentpty/protocol/gym'

export interface FoundTask {
  /** As people are shown it. */
  readonly name: string
  readonly folder: string
  /** The data set that it comes from; null for a folder by itself. */
  readonly source: string | null
  /** It is made anew for each seed, by its generate.py. */
  readonly isGenerated: boolean
  /** It comes with agentpty. */
  readonly isOurs: boolean
}

const generator = 'generate.py'

/** `own`: the folder of data sets that come with agentpty. Errors: `invalid_input` for words that mean no task. */
export function findTasks(words: readonly string[], own: string): readonly FoundTask[] {
  const found = words.flatMap((word) => tasksOf(word, own))
  const byFolder = new Map(found.map((task) => [task.folder, task]))
  return [...byFolder.values()]
}

/** Names of data sets and tasks that come with agentpty. */
export function ownTaskNames(own: string): readonly string[] {
  return foldersIn(own).flatMap((set) => {
    const tasks = foldersIn(join(own, set)).filter((name) => isTask(join(own, set, name)))
    return [set, ...tasks.map((name) => `${set}/${name}`)]
  })
}

function tasksOf(word: string, own: string): readonly FoundTask[] {
  const folder = [resolve(word), resolve(own, word)].find((place) => isFolder(place))
  if (folder === undefined) throw noTask(word, own)
  const isOurs = folder.startsWith(`${own}/`)
  if (isTask(folder)) return [taskAt(folder, isOurs ? basename(dirname(folder)) : null, isOurs)]
  const tasks = foldersIn(folder).filter((name) => isTask(join(folder, name)))
  if (tasks.length === 0) throw noTask(word, own)
  return tasks.map((name) => taskAt(join(folder, name), basename(folder), isOurs))
}

const taskAt = (folder: string, source: string | null, isOurs: boolean): FoundTask => ({
  name: source === null ? basename(folder) : `${source}/${basename(folder)}`,
  folder,
  source,
  isGenerated: existsSync(join(folder, generator)),
  isOurs,
})

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isTask = (folder: string): boolean => existsSync(join(folder, 'task.toml'))

function foldersIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return []
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  if (names.length > folderFilesMax)
    throw new TermError('limit_reached', `${folder} has more than ${folderFilesMax} folders.`, 'Name some of them.')
  return names.map(({ name }) => name).toSorted()
}

function noTask(word: string, own: string): TermError {
  const [set = ''] = word.split('/')
  const names = ownTaskNames(own)
  const inSet = names.filter((name) => name.startsWith(`${set}/`))
  if (inSet.length > 0)
    return new TermError(
      'invalid_input',
      `${set} has no task "${word.slice(set.length + 1)}".`,
      `It has ${inSet.join(', ')}.`,
    )
  const sets = names.filter((name) => !name.includes('/')).join(', ')
  return new TermError(
    'invalid_input',
    `"${word}" is no task: there is no folder with a task.toml, nor folders that have one.`,
    `Name such a folder, or what comes with agentpty: ${sets}. Tasks of terminal-bench 1: agentpty gym import`,
  )
}
