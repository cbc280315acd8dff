/** The task commands of the command line: see the port. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Client, type Clock, invalidInput, machineUnfit } from '@agentpty/protocol'
import {
  type BenchRow,
  type EnvironmentInput,
  type GymRoom,
  type ResetResult,
  type RunEvent,
  type RunRequest,
  settingsFileBytesMax,
  type TaskFault,
  type TrialRow,
  type Validation,
  type WriteTasks,
} from '@agentpty/protocol/gym'
import { temporaryFolder } from '@agentpty/server/files'
import { OwnMetadata } from '../atif/trajectory.ts'
import { readTextInside } from '../folder-files.ts'
import { importTerminalBench, writeImportedTask } from '../harbor/import-terminal-bench.ts'
import { readTask, readTaskToml } from '../harbor/read-task.ts'
import { parseAs } from '../json-text.ts'
import { CopyBudget, copyContents } from '../tree/copy.ts'
import { Folder } from '../tree/folder.ts'
import { agentPlayer, isAgent, type Seats } from './agent-player.ts'
import { Inside } from './inside.ts'
import { planTrials, runJob } from './job.ts'
import { type FoundTask, findTasks, generateTask, ownTaskNames } from './job-config.ts'
import type { Player } from './job-result.ts'
import { linePlayer } from './line-player.ts'
import { playPlaces } from './play-log.ts'
import { replay } from './replay.ts'
import { cheat, cheatsOf, nop, oracle } from './scripted-players.ts'

interface GymRoomOptions {
  readonly clock: Clock
  /** The folder of data sets that come with agentpty. */
  readonly own: string
  readonly seats: Seats
}

export function gymRoom({ clock, own, seats }: GymRoomOptions): GymRoom {
  const found = (words: readonly string[]) => findTasks(words, own)
  return {
    run: async (connect, request, tell) => {
      const trials = await planTrials(found(request.tasks), playersFor(request, seats), request)
      return runJob({ clock, connect, request, trials, tell })
    },
    validate: (connect, request, tell) => validate({ clock, connect, tasks: found(request.tasks), request, tell }),
    bench: (client, tell) => bench(clock, client, tell),
    replay: (client, request) => replay(clock, client, request),
    write: async (words, { seed, to, isAllowed }) => {
      const folders: string[] = []
      for (const task of found(words))
        folders.push(await writeTask(task, { seed, to: resolve(to, basename(task.folder)), isAllowed }))
      return folders
    },
    import: (from, to) => {
      const imported = importTerminalBench(resolve(from))
      writeImportedTask(imported, resolve(to))
      return imported.notes
    },
    ownTasks: () => ownTaskNames(own),
  }
}

function playersFor(
  { agent, seeds, model, allowGenerator }: Pick<RunRequest, 'agent' | 'seeds' | 'model' | 'allowGenerator'>,
  seats: Seats,
): (task: FoundTask) => Promise<readonly Player[]> {
  if (agent === 'oracle') return async () => [oracle]
  if (agent === 'nop') return async () => [nop]
  if (agent === 'cheat') return (task) => cheatsFor(task, { seed: seeds[0] ?? 1, isAllowed: allowGenerator })
  const player = isAgent(agent, seats) ? agentPlayer(agent, model ?? null, seats) : linePlayer(agent)
  return async () => [player]
}

async function writeTask(task: FoundTask, generation: WriteTasks): Promise<string> {
  const { to } = generation
  if (existsSync(join(to, 'task.toml')))
    throw invalidInput(`${to} has a task.toml already.`, 'Name another folder, or remove it.')
  if (task.isGenerated) await generateTask(task, generation)
  else copyTask(task.folder, to)
  return to
}

/** Links are copied as links. Errors: `invalid_input`, `limit_reached`. */
function copyTask(folder: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const source = Folder.open(folder)
  const target = Folder.open(to)
  try {
    copyContents({ from: source, to: target, budget: new CopyBudget(), shown: folder })
  } finally {
    source.close()
    target.close()
  }
}

const stepsEach = 200
const resetsEach = 30
const together = 16
const roundsTogether = 20

const stepped = [
  { what: 'a step in bash', spec: {}, action: 'echo 1' },
  { what: 'a step in the REPL of Python', spec: { program: ['python3', '-q'] }, action: '1 + 1' },
]

/**
 * Measures the speed of environments on this machine: a step, a reset, and steps of many together.
 *
 * Errors: those of making an environment.
 */
async function bench(clock: Clock, client: Client, tell: (row: BenchRow) => void): Promise<void> {
  for (const { what, spec, action } of stepped) {
    const times = await within(client, [spec], async ([inside]) =>
      timesOf(clock, stepsEach, () => stepOf(inside, action)),
    )
    tell(rowOf(what, times))
  }
  const resets = await within(client, [{}], async ([inside]) => timesOf(clock, resetsEach, () => resetOf(inside)))
  tell(rowOf('a reset, with its prompt', resets))
  const specs = Array.from({ length: together }, () => ({}))
  const perSecond = await within(client, specs, async (all) => {
    const begun = clock.now()
    for (let round = 0; round < roundsTogether; round++) await Promise.all(all.map((inside) => inside.step('echo 1')))
    return (together * roundsTogether * 1_000) / (clock.now() - begun)
  })
  tell({ what: `steps of ${together} together`, count: together * roundsTogether, p50Ms: null, p95Ms: null, perSecond })
}

const stepOf = (inside: Inside | undefined, action: string): Promise<unknown> =>
  inside?.step(action) ?? Promise.resolve()
const resetOf = async (inside: Inside | undefined): Promise<void> => {
  if (inside !== undefined) checked(await inside.reset())
}

function checked({ info }: ResetResult): void {
  if (info.infraError !== undefined) throw machineUnfit(info.infraError.message, 'See: agentpty doctor')
}

/** Makes environments, uses them, and always closes them. */
async function within<Result>(
  client: Client,
  specs: readonly EnvironmentInput[],
  use: (all: readonly Inside[]) => Promise<Result>,
): Promise<Result> {
  const all: Inside[] = []
  try {
    for (const spec of specs) all.push(await Inside.make(client, spec))
    await Promise.all(all.map(resetOf))
    return await use(all)
  } finally {
    await Promise.all(all.map((inside) => inside.close()))
  }
}

async function timesOf(clock: Clock, count: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let number = 0; number < count; number++) {
    const begun = clock.now()
    await act()
    times.push(clock.now() - begun)
  }
  return times.toSorted((a, b) => a - b)
}

function rowOf(what: string, sorted: readonly number[]): BenchRow {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { what, count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), perSecond: null }
}

interface Validating {
  readonly clock: Clock
  readonly connect: () => Promise<Client>
  readonly tasks: readonly FoundTask[]
  readonly request: Omit<RunRequest, 'agent'>
  readonly tell: (event: RunEvent) => void
}

/** Whether tasks reward the work and nothing else, and keep what they promise of being the same again. Errors: those of a job. */
async function validate({ clock, connect, tasks, request, tell }: Validating): Promise<Validation> {
  const known = tasks.map((task) => ({ task, read: promiseOf(task) }))
  const faults = known.flatMap(({ task, read }) =>
    read.fault === null ? [] : [{ task: task.name, fault: read.fault }],
  )
  const promising = new Set(known.filter(({ read }) => read.isDeterministic).map(({ task }) => task.name))
  const readable = known.filter(({ read }) => read.fault === null).map(({ task }) => task)
  const players = async (task: FoundTask) => [
    ...(promising.has(task.name) ? [oracle, oracle] : [oracle]),
    nop,
    ...(await cheatsFor(task, { seed: request.seeds[0] ?? 1, isAllowed: request.allowGenerator })),
  ]
  const trials = await planTrials(readable, players, request)
  const { rows, folder } = await runJob({ clock, connect, request, trials, tell })
  const judged = rows.map((row) => ({ ...row, wanted: row.agent === oracle.name ? 1 : 0 }))
  const differing = differingScreens(
    rows.filter(({ agent, task }) => agent === oracle.name && promising.has(task)),
    folder,
  )
  return { tasks: tasks.length, rows: judged, faults: [...faults, ...judged.flatMap(rewardFault), ...differing] }
}

/** `fault`: as a sentence; null: the task can be read. */
function promiseOf({ folder, isGenerated }: FoundTask) {
  try {
    const { task } = isGenerated
      ? readTaskToml(readTextInside(folder, 'task.toml', settingsFileBytesMax) ?? '')
      : readTask(folder)
    const { deterministic } = parseAs(OwnMetadata, task.metadata['agentpty'] ?? {}, 'metadata.agentpty')
    return { isDeterministic: deterministic === true, fault: null }
  } catch (error) {
    return { isDeterministic: false, fault: error instanceof Error ? error.message : String(error) }
  }
}

const seedText = ({ seed }: Pick<TrialRow, 'seed'>): string => (seed === null ? '' : ` (seed ${seed})`)

function rewardFault(row: Validation['rows'][number]): readonly TaskFault[] {
  const { task, agent, outcome, reward, wanted, problem } = row
  const got = outcome === 'rewarded' || outcome === 'unrewarded' ? (reward ?? 0) : null
  if (got === wanted) return []
  const why = problem === null ? '' : `: ${problem}`
  return [{ task, fault: `${agent}${seedText(row)} got ${reward ?? 'no reward'} and not ${wanted}${why}` }]
}

/** The same actions on the same beginning must have ended with the same screen. */
function differingScreens(rows: readonly TrialRow[], folder: string): readonly TaskFault[] {
  const first = new Map<string, string>()
  return rows.flatMap((row): readonly TaskFault[] => {
    if (row.outcome !== 'rewarded') return []
    const key = `${row.task} ${row.seed} ${row.attempt}`
    const screen = readFileSync(join(folder, row.trial, 'agent', playPlaces.screen), 'utf8')
    const other = first.get(key)
    first.set(key, other ?? screen)
    if (other === undefined || other === screen) return []
    return [{ task: row.task, fault: `it promises to be deterministic, and ended with two screens${seedText(row)}` }]
  })
}

/** The cheating players; their names are known once the task is generated, and are the same for every seed. Errors: `machine_unfit`. */
async function cheatsFor(task: FoundTask, { seed, isAllowed }: Omit<WriteTasks, 'to'>): Promise<readonly Player[]> {
  if (!task.isGenerated) return cheatsOf(task.folder).map(cheat)
  const temporary = temporaryFolder('agentpty-gym-')
  const scratch = temporary.path
  try {
    await generateTask(task, { seed, to: join(scratch, 'task'), isAllowed })
    return cheatsOf(join(scratch, 'task')).map(cheat)
  } finally {
    await temporary.remove()
  }
}
