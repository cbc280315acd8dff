/** The configuration of a trial, as Harbor writes it into config.json and into the trial's result. Keys that are not known are kept. */

import * as z from 'zod'
import type { DeepReadonly } from './deep-readonly.ts'
import { Artifacts, maybe, Seconds, Texts, Variables } from './harbor-fields.ts'

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
