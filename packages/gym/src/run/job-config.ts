/** config.json of a job, and the lock of what it ran. Keys that are not known are kept. */

import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { invalidInput, limitReached, machineUnfit, TermError } from '@agentpty/protocol'
import {
  Artifacts,
  copyMsMax,
  type DeepReadonly,
  folderFilesMax,
  Moment,
  maybe,
  multipliers,
  Texts,
  TrialAgent,
  TrialEnvironment,
  TrialTask,
  TrialVerifier,
  type WriteTasks,
} from '@agentpty/protocol/gym'
import * as z from 'zod'
import { startOwned } from '../owned-program.ts'

/** Another attempt would end the same way. */
const notRetried = [
  'AgentTimeoutError',
  'VerifierTimeoutError',
  'RewardFileNotFoundError',
  'RewardFileEmptyError',
  'VerifierOutputParseError',
] as const

const Retry = z.looseObject({
  max_retries: z.number().int().min(0).default(0),
  /** Null: all that are not excluded. */
  include_exceptions: maybe(Texts),
  exclude_exceptions: Texts.nullable().default([...notRetried]),
  wait_multiplier: z.number().min(0).default(1),
  min_wait_sec: z.number().min(0).default(1),
  max_wait_sec: z.number().min(0).default(60),
})

const tables = z.array(z.looseObject({})).default([])

export const JobConfig = z.looseObject({
  job_name: z.string().min(1),
  jobs_dir: z.string().default('jobs'),
  n_attempts: z.number().int().min(1).default(1),
  ...multipliers,
  debug: z.boolean().default(false),
  n_concurrent_trials: z.number().int().min(1).default(4),
  quiet: z.boolean().default(false),
  retry: Retry.prefault({}),
  environment: TrialEnvironment.prefault({}),
  verifier: TrialVerifier.prefault({}),
  metrics: tables,
  agents: z.array(TrialAgent).default([]),
  datasets: tables,
  tasks: z.array(TrialTask).default([]),
  artifacts: Artifacts,
  plugins: z.array(z.unknown()).default([]),
})
export type JobConfig = DeepReadonly<z.output<typeof JobConfig>>

export const Digest = z.string().regex(/^sha256:[\da-f]{64}$/, '"sha256:" and 64 hexadecimal digits')

const LockedTrial = z.looseObject({
  task: z.looseObject({ name: z.string(), type: z.string(), digest: Digest }),
  timeouts: maybe(z.looseObject({})),
  agent: z.looseObject({}),
  skills: z.array(z.unknown()).default([]),
  environment: z.looseObject({}),
  verifier: z.looseObject({}),
})

/** lock.json: exactly what a job ran, so that it can be run again. */
export const JobLock = z.looseObject({
  schema_version: z.literal(1),
  created_at: Moment,
  harbor: z.looseObject({
    version: maybe(z.string()),
    git_commit_hash: maybe(z.string()),
    is_editable: maybe(z.boolean()),
  }),
  /** The command line, without secrets. */
  invocation: maybe(Texts),
  n_concurrent_trials: z.number().int().min(1),
  retry: Retry,
  trials: z.array(LockedTrial),
})
export type JobLock = DeepReadonly<z.output<typeof JobLock>>

/** Finds the tasks that a person names: folders of tasks, folders of such folders, and names of tasks in agentpty. */
export interface FoundTask {
  /** The name that people see. */
  readonly name: string
  readonly folder: string
  /** The data set that it comes from; null for a single folder. */
  readonly source: string | null
  /** Its generate.py makes it for each seed. */
  readonly isGenerated: boolean
  /** A task that agentpty includes. */
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
    throw limitReached(`${folder} has more than ${folderFilesMax} folders.`, 'Name some of them.')
  return names.map(({ name }) => name).toSorted()
}

function noTask(word: string, own: string): TermError {
  const [set = ''] = word.split('/')
  const names = ownTaskNames(own)
  const inSet = names.filter((name) => name.startsWith(`${set}/`))
  if (inSet.length > 0)
    return invalidInput(`${set} has no task "${word.slice(set.length + 1)}".`, `It has ${inSet.join(', ')}.`)
  const sets = names.filter((name) => !name.includes('/')).join(', ')
  return invalidInput(
    `"${word}" is no task: there is no folder with a task.toml, nor folders that have one.`,
    `Name such a folder, or what comes with agentpty: ${sets}. Tasks of terminal-bench 1: agentpty gym import`,
  )
}

/** `signal` ends the generator. */
type Generation = WriteTasks & { readonly signal?: AbortSignal | undefined }

/**
 * Makes the folder of a task for a seed: a plain folder of Harbor, the same for the same seed. Its folder is copied to one that does not
 * exist yet, and its generate.py writes what depends on the seed into the copy. The generator runs on this machine as the current user,
 * outside of any container, so one from another author runs only where a person has allowed it.
 *
 * Errors: `invalid_input` without that permission, `machine_unfit` where the generator fails, `cancelled`.
 */
export async function generateTask({ folder, isOurs }: FoundTask, generation: Generation): Promise<void> {
  const { seed, to, isAllowed, signal } = generation
  if (!isOurs && !isAllowed)
    throw invalidInput(
      `${join(folder, 'generate.py')} makes this task, and would run on this machine as you.`,
      'Read it first. Then allow it: --allow-generator; for an environment, write the folder first: agentpty gym write --allow-generator',
    )
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => !path.endsWith('/generate.py') && !path.endsWith('__pycache__'),
  })
  const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? 'python3'
  const complaint = await generate([python, '-B', join(folder, generator), String(seed), to], folder, signal)
  if (complaint === null) return
  rmSync(to, { recursive: true, force: true })
  if (signal?.aborted === true) throw new TermError('cancelled', 'The job was cancelled.', 'Run it again.')
  throw machineUnfit(
    `${join(folder, 'generate.py')} could not make the task for seed ${seed}: ${complaint}`,
    'It needs Python 3.11 and the packages that its task.toml requires.',
  )
}

/** Returns null where it has succeeded, and else its last words. */
async function generate(
  command: readonly [string, ...string[]],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', PYTHONHASHSEED: '0', TZ: 'UTC' }
  const program = startOwned(command, { cwd: folder, env, timeoutMs: copyMsMax })
  signal?.addEventListener('abort', program.kill, { once: true })
  if (signal?.aborted === true) program.kill()
  let complaint = ''
  program.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part.toString()).slice(-complaintCharactersMax)
  })
  program.stdout.resume()
  program.stdin.on('error', () => undefined)
  program.stdin.end()
  try {
    const code = await program.ended
    return code === 0 ? null : complaint.trim() || (code === null ? 'it was killed' : `it ended with exit code ${code}`)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    signal?.removeEventListener('abort', program.kill)
  }
}

const complaintCharactersMax = 500
