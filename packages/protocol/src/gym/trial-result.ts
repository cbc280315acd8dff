/** What became of one trial: result.json in its folder. Keys that are not known are kept. */

import * as z from 'zod'
import type { DeepReadonly } from './deep-readonly.ts'
import { rewardsMax } from './gym-limits.ts'
import { maybe } from './harbor-fields.ts'
import { TrialConfig } from './trial-config.ts'

/** ISO 8601, with or without a zone: Python writes both. */
export const Moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/, 'a moment as ISO 8601')

const Count = maybe(z.number().int().min(0))
const TokenLists = z.array(z.array(z.number().int()))

/** What a model was given and has given, one list a turn. */
const RolloutDetail = z.looseObject({
  prompt_token_ids: TokenLists.optional(),
  completion_token_ids: TokenLists.optional(),
  logprobs: z.array(z.array(z.number())).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
})

export const AgentContext = z.looseObject({
  /** With those from the cache. */
  n_input_tokens: Count,
  n_cache_tokens: Count,
  n_output_tokens: Count,
  cost_usd: maybe(z.number()),
  rollout_details: maybe(z.array(RolloutDetail)),
  metadata: maybe(z.record(z.string(), z.unknown())),
})
export type AgentContext = DeepReadonly<z.output<typeof AgentContext>>

export const Rewards = z
  .record(z.string(), z.number())
  .refine((rewards) => Object.keys(rewards).length <= rewardsMax, `more than ${rewardsMax} rewards`)

const VerifierResult = z.looseObject({ rewards: maybe(Rewards) })

export const ExceptionInfo = z.looseObject({
  exception_type: z.string(),
  exception_message: z.string(),
  exception_traceback: z.string(),
  occurred_at: Moment,
})
export type ExceptionInfo = DeepReadonly<z.output<typeof ExceptionInfo>>

export const Timing = z.looseObject({ started_at: maybe(Moment), finished_at: maybe(Moment) })
export type Timing = DeepReadonly<z.output<typeof Timing>>

/** A folder, a folder of a repository, or a package. */
const TaskId = z.union([
  z.looseObject({ git_url: z.string(), git_commit_id: maybe(z.string()), path: z.string() }),
  z.looseObject({ org: z.string(), name: z.string(), ref: maybe(z.string()) }),
  z.looseObject({ path: z.string() }),
])

const AgentInfo = z.looseObject({
  name: z.string(),
  version: z.string(),
  model_info: maybe(z.looseObject({ name: z.string(), provider: maybe(z.string()) })),
})

const StepResult = z.looseObject({
  step_name: z.string(),
  agent_result: maybe(AgentContext),
  verifier_result: maybe(VerifierResult),
  exception_info: maybe(ExceptionInfo),
  agent_execution: maybe(Timing),
  verifier: maybe(Timing),
})

export const TrialResult = z.looseObject({
  id: z.uuid(),
  task_name: z.string(),
  trial_name: z.string(),
  trial_uri: z.string(),
  task_id: TaskId,
  source: maybe(z.string()),
  task_checksum: z.string(),
  config: TrialConfig,
  agent_info: AgentInfo,
  agent_result: maybe(AgentContext),
  verifier_result: maybe(VerifierResult),
  exception_info: maybe(ExceptionInfo),
  started_at: maybe(Moment),
  finished_at: maybe(Moment),
  environment_setup: maybe(Timing),
  agent_setup: maybe(Timing),
  agent_execution: maybe(Timing),
  verifier: maybe(Timing),
  step_results: maybe(z.array(StepResult)),
  /** Of trials that agentpty has played: what was not as the task says. */
  agentpty: z.looseObject({ notes: z.array(z.string()).default([]) }).optional(),
})
export type TrialResult = DeepReadonly<z.output<typeof TrialResult>>

/** `artifacts/manifest.json`: what was copied out of the environment. */
export const ArtifactManifest = z.array(
  z.looseObject({
    source: z.string(),
    destination: z.string(),
    type: z.enum(['file', 'directory']),
    status: z.enum(['ok', 'failed', 'empty']),
  }),
)
export type ArtifactManifest = DeepReadonly<z.output<typeof ArtifactManifest>>
