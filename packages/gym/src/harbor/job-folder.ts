/** The folder of a job, with a folder for each of its trials: their paths, and the objects in their files. */

import { join } from 'node:path'
import { isoTime } from '@agentpty/engine/system-clock'
import { resultFileBytesMax, type TrialResult } from '@agentpty/protocol/gym'
import { readJsonInside } from '../folder-files.ts'
import { parseAs } from '../json-text.ts'
import { JobConfig, JobLock } from '../run/job-config.ts'
import { type Evaluation, JobResult, type JobStats } from '../run/job-result.ts'
import { jsonFileText, writeWhole } from '../whole-file.ts'

/** Paths from the job's folder. */
export const jobPlaces = { config: 'config.json', result: 'result.json', lock: 'lock.json', log: 'job.log' } as const

/** Returns a job's name from its wall time, in UTC: `2026-11-24__15-30-12`. */
export function jobName(wall: number): string {
  const [day = '', time = ''] = isoTime(wall).split('T')
  return `${day}__${time.slice(0, 8).replaceAll(':', '-')}`
}

/** `written`: what the job was given; the rest is as by default. Errors: `invalid_input`. */
export function jobConfig(written: unknown): JobConfig {
  return parseAs(JobConfig, written, jobPlaces.config)
}

interface JobFacts {
  readonly id: string
  /** Wall times; null: not yet. */
  readonly startedAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
  readonly trials: readonly TrialResult[]
  readonly running: number
  readonly pending: number
  readonly cancelled: number
  readonly retries: number
}

export function jobResult(facts: JobFacts): JobResult {
  const { trials, running, pending, cancelled } = facts
  return {
    id: facts.id,
    started_at: isoTime(facts.startedAt),
    updated_at: isoTime(facts.updatedAt),
    finished_at: facts.finishedAt === null ? null : isoTime(facts.finishedAt),
    n_total_trials: trials.length + running + pending + cancelled,
    stats: statsOf(facts),
    trial_results: trials,
  }
}

function statsOf({ trials, running, pending, cancelled, retries }: JobFacts): JobStats {
  return {
    n_completed_trials: trials.length,
    n_errored_trials: trials.filter((trial) => trial.exception_info !== null).length,
    n_running_trials: running,
    n_pending_trials: pending,
    n_cancelled_trials: cancelled,
    n_retries: retries,
    n_input_tokens: sum(trials, 'n_input_tokens'),
    n_cache_tokens: sum(trials, 'n_cache_tokens'),
    n_output_tokens: sum(trials, 'n_output_tokens'),
    cost_usd: sum(trials, 'cost_usd'),
    evals: evaluations(trials),
  }
}

type Used = 'n_input_tokens' | 'n_cache_tokens' | 'n_output_tokens' | 'cost_usd'

/** Null where no trial knows it. */
function sum(trials: readonly TrialResult[], field: Used): number | null {
  const known = trials.map((trial) => trial.agent_result?.[field] ?? null).filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((all, one) => all + one, 0)
}

interface JobFiles {
  readonly config: JobConfig
  readonly lock: JobLock
  readonly result: JobResult
}

/** Errors: `machine_unfit`, `invalid_input`. */
export function writeJob(folder: string, { config, lock, result }: JobFiles): void {
  const write = (place: string, value: unknown) => writeWhole(join(folder, place), jsonFileText(value))
  const checked = parseAs(JobResult, result, jobPlaces.result)
  write(jobPlaces.config, parseAs(JobConfig, config, jobPlaces.config))
  write(jobPlaces.lock, parseAs(JobLock, lock, jobPlaces.lock))
  write(jobPlaces.result, checked)
}

/** Null for a job that has no result yet. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readJobResult(folder: string): JobResult | null {
  return readJsonInside(JobResult, { folder, path: jobPlaces.result, bytesMax: resultFileBytesMax })
}

/** Summarizes trials by `agent__model__dataset`. A trial without a reward is no zero: a machine's failure is not the agent's. */
export function evaluations(trials: readonly TrialResult[]): Readonly<Record<string, Evaluation>> {
  const groups = grouped(trials, evaluationName)
  return Object.fromEntries([...groups].map(([name, group]) => [name, evaluationOf(group)]))
}

function evaluationName({ agent_info, source }: TrialResult): string {
  const model = agent_info.model_info?.name.replaceAll('/', '-')
  return [agent_info.name, model, source ?? 'adhoc'].filter((part) => part !== undefined).join('__')
}

function evaluationOf(trials: readonly TrialResult[]): Evaluation {
  const errors = trials.filter((trial) => trial.exception_info !== null)
  const byType = grouped(errors, (trial) => trial.exception_info?.exception_type ?? '')
  return {
    n_trials: trials.length,
    n_errors: errors.length,
    metrics: meansOf(trials),
    pass_at_k: passAtK(trials),
    reward_stats: rewardStats(trials),
    exception_stats: Object.fromEntries([...byType].map(([type, group]) => [type, group.map(nameOf)])),
  }
}

const nameOf = (trial: TrialResult): string => trial.trial_name
const rewardsOf = (trial: TrialResult) => trial.verifier_result?.rewards ?? null

/** One map with the mean of each key; none where no trial was rewarded. */
function meansOf(trials: readonly TrialResult[]): Evaluation['metrics'] {
  const byKey = grouped(
    trials.flatMap((trial) => Object.entries(rewardsOf(trial) ?? {})),
    ([key]) => key,
  )
  if (byKey.size === 0) return []
  const means = [...byKey].map(([key, entries]): [string, number] => [
    key === 'reward' ? 'mean' : `mean_${key}`,
    entries.reduce((sum, [, value]) => sum + value, 0) / entries.length,
  ])
  return [Object.fromEntries(means)]
}

function rewardStats(trials: readonly TrialResult[]): Evaluation['reward_stats'] {
  const rows = trials.flatMap((trial) =>
    Object.entries(rewardsOf(trial) ?? {}).map(([key, value]) => ({
      key,
      value: floatText(value),
      name: nameOf(trial),
    })),
  )
  const byKey = grouped(rows, ({ key }) => key)
  return Object.fromEntries(
    [...byKey].map(([key, ofKey]) => {
      const byValue = grouped(ofKey, ({ value }) => value)
      return [key, Object.fromEntries([...byValue].map(([value, all]) => [value, all.map(({ name }) => name)]))]
    }),
  )
}

/** Formats a float as Python writes it in a key: `1.0`. */
const floatText = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value))

/** The chance that one of k attempts succeeds, for k = 2, 4, 8 … as far as every task was tried. Only where every reward is 0 or 1. */
function passAtK(trials: readonly TrialResult[]): Evaluation['pass_at_k'] {
  const rewarded = trials.flatMap((trial) => {
    const reward = rewardsOf(trial)?.['reward']
    return reward === undefined ? [] : [{ task: trial.task_name, reward }]
  })
  if (rewarded.some(({ reward }) => reward !== 0 && reward !== 1)) return {}
  const tasks = [...grouped(rewarded, ({ task }) => task).values()]
  const fewest = tasks.length === 0 ? 0 : Math.min(...tasks.map((attempts) => attempts.length))
  const sizes = [2, 4, 8, 16, 32, 64, 128].filter((k) => k <= fewest)
  const chance = (attempts: readonly { readonly reward: number }[], k: number) =>
    chanceOfOne({ attempts: attempts.length, successes: attempts.filter(({ reward }) => reward === 1).length, k })
  return Object.fromEntries(
    sizes.map((k) => [String(k), tasks.reduce((sum, attempts) => sum + chance(attempts, k), 0) / tasks.length]),
  )
}

/** Returns the share of all choices of k attempts that contain a success. */
function chanceOfOne({ attempts, successes, k }: Readonly<Record<'attempts' | 'successes' | 'k', number>>): number {
  if (attempts - successes < k) return 1
  let none = 1
  for (let n = attempts - successes + 1; n <= attempts; n++) none *= 1 - k / n
  return 1 - none
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
