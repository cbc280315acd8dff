/** What became of a job: result.json in its folder. Keys that are not known are kept. */

import { type DeepReadonly, Moment, maybe, TrialResult } from '@agentpty/protocol/gym'
import * as z from 'zod'

const Count = z.number().int().min(0).default(0)
const TrialNames = z.array(z.string())

const Evaluation = z.looseObject({
  n_trials: Count,
  n_errors: Count,
  metrics: z.array(z.record(z.string(), z.unknown())).default([]),
  /** By k. */
  pass_at_k: z.record(z.string(), z.number()).default({}),
  /** By reward's key and value, the trials that got it. */
  reward_stats: z.record(z.string(), z.record(z.string(), TrialNames)).default({}),
  /** By type, the trials that ended with it. */
  exception_stats: z.record(z.string(), TrialNames).default({}),
})
export type Evaluation = DeepReadonly<z.output<typeof Evaluation>>

const JobStats = z
  .looseObject({
    n_completed_trials: Count,
    n_errored_trials: Count,
    n_running_trials: Count,
    n_pending_trials: Count,
    n_cancelled_trials: Count,
    n_retries: Count,
    n_input_tokens: maybe(z.number().int()),
    n_cache_tokens: maybe(z.number().int()),
    n_output_tokens: maybe(z.number().int()),
    cost_usd: maybe(z.number()),
    /** By `agent__model__dataset`. */
    evals: z.record(z.string(), Evaluation).default({}),
    /** What older jobs have in place of the first two. */
    n_trials: z.number().int().min(0).optional(),
    n_errors: z.number().int().min(0).optional(),
  })
  .transform(({ n_trials, n_errors, ...stats }) => ({
    ...stats,
    n_completed_trials: stats.n_completed_trials || (n_trials ?? 0),
    n_errored_trials: stats.n_errored_trials || (n_errors ?? 0),
  }))
export type JobStats = DeepReadonly<z.output<typeof JobStats>>

export const JobResult = z.looseObject({
  id: z.uuid(),
  started_at: Moment,
  updated_at: maybe(Moment),
  finished_at: maybe(Moment),
  n_total_trials: z.number().int().min(0),
  stats: JobStats,
  trial_results: z.array(TrialResult).default([]),
})
export type JobResult = DeepReadonly<z.output<typeof JobResult>>
