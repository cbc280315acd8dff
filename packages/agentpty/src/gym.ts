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
export { TrajectoryWriter } from './features/gym/atif/trajectory-writer.ts'
export { readTrajectory, type TrajectoryCheck, validateTrajectory } from './features/gym/atif/validate.ts'
export {
  checkDataset,
  datasetOf,
  readDatasetToml,
  taskDigest,
  writeDatasetToml,
} from './features/gym/harbor/dataset.ts'
export { type Dockerfile, parseDockerfile } from './features/gym/harbor/dockerfile.ts'
export { evaluations } from './features/gym/harbor/evaluations.ts'
export { hostVariables, resolveVariables } from './features/gym/harbor/host-variables.ts'
export {
  type ImportedTask,
  importTerminalBench,
  writeImportedTask,
} from './features/gym/harbor/import-terminal-bench.ts'
export { jobConfig, jobName, jobPlaces, jobResult, readJobResult, writeJob } from './features/gym/harbor/job-folder.ts'
export { readKeystrokeSolution } from './features/gym/harbor/keystroke-solution.ts'
export { readTask, readTaskToml, type TaskFolder } from './features/gym/harbor/read-task.ts'
export { reachesMinimum, taskRewards } from './features/gym/harbor/step-rewards.ts'
export {
  readTrialResult,
  trialConfig,
  trialName,
  trialPlaces,
  trialResult,
  writeTrial,
} from './features/gym/harbor/trial-folder.ts'
export { verifierPlace } from './features/gym/harbor/verifier-place.ts'
export { readVerifierRewards, removeRewards, type VerifierVerdict } from './features/gym/harbor/verifier-rewards.ts'
export { writeTaskToml } from './features/gym/harbor/write-task.ts'
export { parseTerminusReply, type TerminusReply, terminusFeedback } from './features/gym/terminus.ts'
export { effectiveTimeouts } from './features/gym/timeouts.ts'
