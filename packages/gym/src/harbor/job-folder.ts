/** The folder of a job, with a folder for each of its trials: what lies where, and the objects in its files. */

import { join } from 'node:path'
import { isoTime } from '@agentpty/engine/host'
import { resultFileBytesMax, type TrialResult } from '@agentpty/protocol/gym'
import { readTextInside } from '../folder-files.ts'
import { readJsonText } from '../json-text.ts'
import { parseAs } from '../malformed.ts'
import { JobConfig, JobLock } from '../run/job-config.ts'
import { JobResult, type JobStats } from '../run/job-result.ts'
import { jsonFileText, writeWhole } from '../whole-file.ts'
import { evaluations } from './evaluations.ts'

/** From the job's folder. */
export const jobPlaces = { config: 'config.json', result: 'result.json', lock: 'lock.json', log: 'job.log' } as const

/** By its wall time, in UTC: `2026-11-24__15-30-12`. */
export function jobName(wall: number): string {
  const [day = '', time = ''] = isoTime(wall).split('T')
  return `${day}__${time.slice(0, 8).replaceAll(':', '-')}`
}

/** `written`: what the job was given; the rest is as by default. Errors: `invalid_input`. */
export function jobConfig(written: unknown): JobConfig {
  return parseAs(JobConfig, written, jobPlaces.config)
}

export interface JobFacts {
  readonly id: string
  /** Wall times; null: not yet. */
  readonly startedAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
  /** Those that have ended. */
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

export interface JobFiles {
  readonly config: JobConfig
  readonly lock: JobLock
  readonly result: JobResult
}

/** Errors: `environment`, `invalid_input`. */
export function writeJob(folder: string, { config, lock, result }: JobFiles): void {
  const write = (place: string, value: unknown) => writeWhole(join(folder, place), jsonFileText(value))
  const checked = parseAs(JobResult, result, jobPlaces.result)
  write(jobPlaces.config, parseAs(JobConfig, config, jobPlaces.config))
  write(jobPlaces.lock, parseAs(JobLock, lock, jobPlaces.lock))
  write(jobPlaces.result, checked)
}

/** Null for a job that has no result yet. Errors: `invalid_input`, `limit_reached`, `environment`. */
export function readJobResult(folder: string): JobResult | null {
  const file = join(folder, jobPlaces.result)
  const text = readTextInside(folder, jobPlaces.result, resultFileBytesMax)
  if (text === null) return null
  return parseAs(JobResult, readJsonText(text, { file, bytesMax: resultFileBytesMax }), file)
}
