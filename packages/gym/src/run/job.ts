/** A job: trials of tasks, several in parallel. Its folder is Harbor's, and is correct at any time. */

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isoTime } from '@agentpty/engine/system-clock'
import { type Client, type Clock, limitReached } from '@agentpty/protocol'
import {
  type RunEvent,
  type RunRequest,
  type RunSummary,
  type TrialOutcome,
  type TrialResult,
  type TrialRow,
  trialsAtOnceMax,
  trialsMax,
} from '@agentpty/protocol/gym'
import { jobConfig, jobName, jobResult, writeJob } from '../harbor/job-folder.ts'
import { oneReward } from '../harbor/step-rewards.ts'
import { trialConfig, trialName } from '../harbor/trial-folder.ts'
import { type FoundTask, generateTask } from './job-config.ts'
import type { Player } from './job-result.ts'
import { playTrial, type TrialEnd } from './trial.ts'

export interface PlannedTrial {
  readonly found: FoundTask
  readonly seed: number | null
  readonly attempt: number
  readonly player: Player
}

export interface JobParts {
  readonly clock: Clock
  readonly connect: () => Promise<Client>
  readonly request: Omit<RunRequest, 'agent' | 'tasks'>
  readonly trials: readonly PlannedTrial[]
  readonly tell: (event: RunEvent) => void
}

/** Plans the trials in order: all tasks once, then again. */
export async function planTrials(
  tasks: readonly FoundTask[],
  players: (task: FoundTask) => Promise<readonly Player[]>,
  { seeds, attempts }: Pick<RunRequest, 'seeds' | 'attempts'>,
): Promise<readonly PlannedTrial[]> {
  const trials: PlannedTrial[] = []
  const playersOf = new Map<FoundTask, readonly Player[]>()
  for (const task of tasks) playersOf.set(task, await players(task))
  for (let attempt = 1; attempt <= attempts; attempt++)
    for (const found of tasks)
      for (const seed of found.isGenerated ? seeds : [null])
        for (const player of playersOf.get(found) ?? []) trials.push({ found, seed, attempt, player })
  if (trials.length <= trialsMax) return trials
  throw limitReached(`That is ${trials.length} trials, more than ${trialsMax}.`, 'Play fewer at a time.')
}

/** A task that cannot be read is a failed trial, as every other fault of one task. Errors: `machine_unfit`. */
export async function runJob(parts: JobParts): Promise<RunSummary> {
  const { clock, request, trials, tell } = parts
  const begunAt = clock.now()
  const name = request.jobName ?? jobName(clock.wall())
  const folder = resolve(request.out, name)
  mkdirSync(folder, { recursive: true })
  tell({ kind: 'begins', folder, total: trials.length, notes: [] })
  const job = new Job(parts, { folder, name })
  await job.run()
  const { rows } = job
  const counted = rows.filter(({ outcome }) => outcome === 'rewarded' || outcome === 'unrewarded')
  const sum = counted.reduce((all, { reward }) => all + (reward ?? 0), 0)
  return {
    folder,
    rows,
    meanReward: counted.length === 0 ? null : sum / counted.length,
    durationMs: clock.now() - begunAt,
  }
}

class Job {
  readonly #parts: JobParts
  readonly #place: { readonly folder: string; readonly name: string }
  readonly #results: TrialResult[] = []
  readonly rows: TrialRow[] = []
  readonly #id = randomUUID()
  readonly #startedAt: number
  #running = 0
  #retries = 0
  #next = 0

  constructor(parts: JobParts, place: { readonly folder: string; readonly name: string }) {
    this.#parts = parts
    this.#place = place
    this.#startedAt = parts.clock.wall()
  }

  async run(): Promise<void> {
    const { request, trials } = this.#parts
    this.#write(null)
    const atOnce = Math.max(1, Math.min(request.concurrent, trialsAtOnceMax, trials.length))
    await Promise.all(Array.from({ length: atOnce }, () => this.#playNext()))
    this.#write(this.#parts.clock.wall())
  }

  async #playNext(): Promise<void> {
    const { trials, request } = this.#parts
    for (;;) {
      const trial = trials[this.#next]
      if (trial === undefined || request.signal?.aborted === true) return
      this.#next++
      this.#running++
      await this.#playAtLast(trial)
      this.#running--
      this.#write(null)
    }
  }

  /** Plays a trial again; only the last play is kept. */
  async #playAtLast(trial: PlannedTrial): Promise<void> {
    const { request, tell } = this.#parts
    let played = await this.#play(trial)
    for (let left = request.retries; left > 0 && mayBeBetter(played.end); left--) {
      rmSync(played.folder, { recursive: true, force: true })
      this.#retries++
      played = await this.#play(trial)
    }
    this.#results.push(played.end.result)
    this.rows.push(played.row)
    tell({ kind: 'ended', row: played.row })
  }

  async #play(trial: PlannedTrial): Promise<PlayedTrial> {
    const { clock, connect, request, tell } = this.#parts
    const { found, seed, attempt, player } = trial
    const begunAt = clock.now()
    const name = trialName(seed === null ? found.name : `${found.name}-s${seed}`, randomBytes(7))
    const folder = join(this.#place.folder, name)
    mkdirSync(folder, { recursive: true })
    // A task generated for a seed is stored with its trial, so that it can be inspected and played again.
    const task = found.isGenerated ? join(folder, 'task') : found.folder
    const end = await playTrial({
      prepare: async () => {
        if (found.isGenerated)
          await generateTask(found, {
            seed: seed ?? 0,
            to: task,
            isAllowed: request.allowGenerator,
            signal: request.signal,
          })
      },
      clock,
      connect,
      player,
      task,
      source: found.source,
      seed,
      folder,
      request,
      config: this.#trialConfig(trial, name, task),
      signal: request.signal ?? new AbortController().signal,
      tellTerminal: (terminalId) => tell({ kind: 'trial', task: found.name, terminalId }),
    })
    const about = { task: found.name, seed, attempt, agent: player.name, trial: name }
    return { end, folder, row: { ...about, ...rowOf(end), durationMs: clock.now() - begunAt } }
  }

  #trialConfig({ player }: PlannedTrial, name: string, path: string) {
    const { timeoutMultiplier } = this.#parts.request
    return trialConfig({
      task: { path },
      trial_name: name,
      trials_dir: this.#place.folder,
      timeout_multiplier: timeoutMultiplier,
      agent: { name: player.name, model_name: player.model },
      environment: ownEnvironment,
      job_id: this.#id,
    })
  }

  #write(finishedAt: number | null): void {
    const { clock, request, trials } = this.#parts
    const players = new Map(trials.map(({ player }) => [player.name, player]))
    const config = jobConfig({
      job_name: this.#place.name,
      jobs_dir: resolve(request.out),
      n_attempts: request.attempts,
      timeout_multiplier: request.timeoutMultiplier,
      n_concurrent_trials: request.concurrent,
      retry: { max_retries: request.retries },
      environment: ownEnvironment,
      agents: [...players.values()].map(({ name, model }) => ({ name, model_name: model })),
      tasks: [...new Set(trials.map(({ found }) => found.folder))].map((path) => ({ path })),
    })
    const pending = finishedAt === null ? trials.length - this.#next : 0
    const cancelled = finishedAt === null ? 0 : trials.length - this.#next
    const facts = {
      id: this.#id,
      startedAt: this.#startedAt,
      updatedAt: clock.wall(),
      finishedAt,
      trials: this.#results,
    }
    const result = jobResult({ ...facts, running: this.#running, pending, cancelled, retries: this.#retries })
    writeJob(this.#place.folder, { config, lock: this.#lock(config), result })
  }

  #lock(config: ReturnType<typeof jobConfig>) {
    return {
      schema_version: 1 as const,
      created_at: isoTime(this.#startedAt),
      harbor: { version: null, git_commit_hash: null, is_editable: null },
      invocation: null,
      n_concurrent_trials: config.n_concurrent_trials,
      retry: config.retry,
      trials: this.#results.filter(isRead).map(({ task_name, config: trial, task_checksum }) => ({
        task: { name: task_name, type: 'local', digest: task_checksum },
        timeouts: null,
        agent: trial.agent,
        skills: [],
        environment: trial.environment,
        verifier: trial.verifier,
      })),
    }
  }
}

/** Our environment in Harbor's terms: its list of types has only its own, so others are named by their class. */
const ownEnvironment = { type: null, import_path: 'agentpty_gym.harbor_env:AgentptyEnvironment' }

interface PlayedTrial {
  readonly end: TrialEnd
  readonly folder: string
  readonly row: TrialRow
}

/** The machinery has failed, and neither the task nor a person has ended it. */
function mayBeBetter({ isFailed, result: { exception_info: exception } }: TrialEnd): boolean {
  return isFailed && !['InvalidTaskError', 'CancelledError'].includes(exception?.exception_type ?? '')
}

/** Returns whether the task could be read: only then it has a digest. */
const isRead = ({ task_checksum }: TrialResult): boolean => task_checksum !== ''

function rowOf({ result, steps, isFailed, notes }: TrialEnd) {
  const rewards = result.verifier_result?.rewards ?? null
  const exception = result.exception_info
  const isCancelled = exception?.exception_type === 'CancelledError'
  const outcome: TrialOutcome = isCancelled
    ? 'cancelled'
    : isFailed
      ? 'failed'
      : rewards === null
        ? 'unrewarded'
        : 'rewarded'
  const problem = exception === null ? null : `${exception.exception_type}: ${exception.exception_message}`
  return { outcome, reward: rewards === null ? null : oneReward(rewards), rewards, steps, problem, notes }
}
