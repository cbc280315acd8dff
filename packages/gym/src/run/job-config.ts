/** config.json of a job, and the lock of what it ran. Keys that are not known are kept. */

import {
  Artifacts,
  type DeepReadonly,
  Moment,
  maybe,
  multipliers,
  Texts,
  TrialAgent,
  TrialEnvironment,
  TrialTask,
  TrialVerifier,
} from '@agentpty/protocol/gym'
import * as z from 'zod'

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

const Digest = z.string().regex(/^sha256:[\da-f]{64}$/, '"sha256:" and 64 hexadecimal digits')

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
