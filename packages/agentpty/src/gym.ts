/**
 * Terminals as environments: reset to the same beginning, stepped through, judged.
 *
 * @example
 * ```ts
 * await using env = await makeEnv({ program: ['python3', '-q'] })
 * await env.reset({ seed: 1 })
 * const { observation, terminated } = await env.step('6 * 7')
 * ```
 */

export { type EnvOptions, makeEnv, makeVec, type VecOptions } from './compose/gym-library.ts'
export type { Action } from './contracts/gym/action.ts'
export type { AskedTask, TaskAbout, Verification } from './contracts/gym/asked-task.ts'
export type {
  EnvironmentInput,
  ResetKind,
  ResetResult,
  StepInfo,
  StepResult,
} from './contracts/gym/environment.ts'
export {
  Env,
  type ExecOptions,
  type ExecResult,
  type Fork,
  type ResetOptions,
  type StepOptions,
} from './faces/library/env.ts'
export {
  type Actions,
  type AutoresetMode,
  VecEnv,
  type VecInfo,
  type VecReset,
  type VecResetOptions,
  type VecStep,
} from './faces/library/vec-env.ts'
export { TrajectoryWriter } from './gym/atif/trajectory-writer.ts'
export { readTrajectory, type TrajectoryCheck, validateTrajectory } from './gym/atif/validate.ts'
export {
  checkDataset,
  datasetOf,
  readDatasetToml,
  taskDigest,
  writeDatasetToml,
} from './gym/harbor/dataset.ts'
export { type Dockerfile, parseDockerfile } from './gym/harbor/dockerfile.ts'
export { evaluations } from './gym/harbor/evaluations.ts'
export { hostVariables, resolveVariables } from './gym/harbor/host-variables.ts'
export {
  type ImportedTask,
  importTerminalBench,
  writeImportedTask,
} from './gym/harbor/import-terminal-bench.ts'
export { jobConfig, jobName, jobPlaces, jobResult, readJobResult, writeJob } from './gym/harbor/job-folder.ts'
export { readKeystrokeSolution } from './gym/harbor/keystroke-solution.ts'
export { readTask, readTaskToml, type TaskFolder } from './gym/harbor/read-task.ts'
export { reachesMinimum, taskRewards } from './gym/harbor/step-rewards.ts'
export {
  readTrialResult,
  trialConfig,
  trialName,
  trialPlaces,
  trialResult,
  writeTrial,
} from './gym/harbor/trial-folder.ts'
export { verifierPlace } from './gym/harbor/verifier-place.ts'
export { readVerifierRewards, removeRewards, type VerifierVerdict } from './gym/harbor/verifier-rewards.ts'
export { writeTaskToml } from './gym/harbor/write-task.ts'
export { parseTerminusReply, type TerminusReply, terminusFeedback } from './gym/terminus.ts'
export { effectiveTimeouts } from './gym/timeouts.ts'
