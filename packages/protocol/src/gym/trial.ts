/** The configuration of a trial, as Harbor writes it into config.json and into the trial's result. Keys that are not known are kept. */

import * as z from 'zod'
import { FolderName, ProgramText, VariableName } from '../call/terminal-fields.ts'
import { rewardsMax } from './gym-limits.ts'
import { Artifacts, type DeepReadonly, maybe, Seconds, Texts, Variables } from './harbor-fields.ts'

const Arguments = z.record(z.string(), z.unknown()).default({})
const Text = maybe(z.string())
const Multiplier = z.number().positive()

export const multipliers = {
  timeout_multiplier: Multiplier.default(1),
  /** Null: as `timeout_multiplier`. */
  agent_timeout_multiplier: maybe(Multiplier),
  verifier_timeout_multiplier: maybe(Multiplier),
  agent_setup_timeout_multiplier: maybe(Multiplier),
  environment_build_timeout_multiplier: maybe(Multiplier),
}

/** Where the task comes from: a path, a repository, or a package. */
export const TrialTask = z.looseObject({
  path: Text,
  git_url: Text,
  git_commit_id: Text,
  name: Text,
  ref: Text,
  overwrite: z.boolean().default(false),
  download_dir: Text,
  source: Text,
})

export const TrialAgent = z.looseObject({
  name: Text,
  import_path: Text,
  model_name: Text,
  skills: Texts.default([]),
  override_timeout_sec: maybe(Seconds),
  override_setup_timeout_sec: maybe(Seconds),
  max_timeout_sec: maybe(Seconds),
  extra_allowed_hosts: Texts.default([]),
  kwargs: Arguments,
  env: Variables.default({}),
  mcp_servers: z.array(z.looseObject({})).default([]),
})

const Enforcement = z.enum(['auto', 'limit', 'request', 'guarantee', 'ignore']).default('auto')
const amount = maybe(z.number().int().min(0))

export const TrialEnvironment = z.looseObject({
  type: maybe(z.string()).default('docker'),
  import_path: Text,
  force_build: z.boolean().default(false),
  /** Removed when the trial is over. */
  delete: z.boolean().default(true),
  cpu_enforcement_policy: Enforcement,
  memory_enforcement_policy: Enforcement,
  override_cpus: amount,
  override_memory_mb: amount,
  override_storage_mb: amount,
  override_gpus: amount,
  mounts: maybe(z.array(z.unknown())),
  extra_docker_compose: z.array(z.string()).default([]),
  env: Variables.default({}),
  kwargs: Arguments,
  extra_allowed_hosts: Texts.default([]),
})

export const TrialVerifier = z.looseObject({
  override_timeout_sec: maybe(Seconds),
  max_timeout_sec: maybe(Seconds),
  env: Variables.default({}),
  import_path: Text,
  kwargs: Arguments,
  disable: z.boolean().default(false),
})

export const TrialConfig = z.looseObject({
  task: TrialTask,
  trial_name: z.string().default(''),
  trials_dir: z.string().default('trials'),
  ...multipliers,
  agent: TrialAgent.prefault({}),
  environment: TrialEnvironment.prefault({}),
  verifier: TrialVerifier.prefault({}),
  artifacts: Artifacts,
  extra_instruction_paths: Texts.default([]),
  job_id: Text,
})
export type TrialConfig = DeepReadonly<z.output<typeof TrialConfig>>

// The result of one trial: result.json in its folder. Unknown keys are kept.

/** ISO 8601, with or without a zone: Python writes both. */
export const Moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/, 'a moment as ISO 8601')

const Count = maybe(z.number().int().min(0))
const TokenLists = z.array(z.array(z.number().int()))

/** The tokens that a model received and returned, one list a turn. */
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
  /** Differences from the task's settings, in trials that agentpty has played. */
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

/** A task in the request for an environment, its description, and the result of its verifier. */
export const AskedTask = z.union([
  FolderName,
  z.strictObject({
    folder: FolderName,
    seed: z.number().int().min(0).optional().describe('The seed of a generated task. The player does not see it.'),
    hostEnv: z
      .record(VariableName, ProgramText)
      .default({})
      .describe(
        'Variables that it may ask for. Only where it does are they seen: by programs, or by the verifier alone.',
      ),
    allowRun: z.boolean().default(false).describe('RUN of its Dockerfile is run, inside, after each reset.'),
    context: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A folder below the task’s, such as `environment`: its Dockerfile is followed, and nothing else of the task is done or judged. For callers that do so themselves.',
      ),
    offlineOk: z
      .boolean()
      .default(false)
      .describe('It is played without the network that it needs. Otherwise it is refused where `network` is off.'),
  }),
])
export type AskedTask = z.output<typeof AskedTask>

export const TaskAbout = z.object({
  name: z.string(),
  instruction: z.string(),
  step: z.string().nullable().describe('Of a task of several steps, the one that is played; `null`: it has none.'),
  notes: z.array(z.string()).describe('What is not as the task says.'),
})
export type TaskAbout = Readonly<z.output<typeof TaskAbout>>

export const Verification = z.object({
  reward: z.number().describe('The key `reward`, or the mean of all; 0 where the verifier has given none.'),
  rewards: Rewards.nullable().describe('All that the verifier has given; `null`: none.'),
  problem: z.string().optional().describe('Why it has given none.'),
  output: z.string().describe('What the verifier has said, its end.'),
  nextStep: z.string().nullable().describe('Of a task of several: a fork by `files` goes on with it.'),
})
export type Verification = Readonly<z.output<typeof Verification>>
