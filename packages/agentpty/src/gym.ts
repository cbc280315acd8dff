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

export {
  checkDataset,
  type Dockerfile,
  datasetOf,
  effectiveTimeouts,
  evaluations,
  hostVariables,
  type ImportedTask,
  importTerminalBench,
  jobConfig,
  jobName,
  jobPlaces,
  jobResult,
  parseDockerfile,
  parseTerminusReply,
  reachesMinimum,
  readDatasetToml,
  readJobResult,
  readKeystrokeSolution,
  readTask,
  readTaskToml,
  readTrajectory,
  readTrialResult,
  readVerifierRewards,
  removeRewards,
  resolveVariables,
  type TaskFolder,
  type TerminusReply,
  type TrajectoryCheck,
  TrajectoryWriter,
  taskDigest,
  taskRewards,
  terminusFeedback,
  trialConfig,
  trialName,
  trialPlaces,
  trialResult,
  type VerifierVerdict,
  validateTrajectory,
  verifierPlace,
  writeDatasetToml,
  writeImportedTask,
  writeJob,
  writeTaskToml,
  writeTrial,
} from '@agentpty/gym'
export type {
  Action,
  AskedTask,
  EnvironmentInput,
  ResetKind,
  ResetResult,
  StepInfo,
  StepResult,
  TaskAbout,
  Verification,
} from '@agentpty/protocol/gym'
export { type EnvOptions, makeEnv, makeVec, type VecOptions } from './compose/gym-library.ts'
export {
  Env,
  type ExecOptions,
  type ExecResult,
  type Fork,
  type ResetOptions,
  type StepOptions,
} from './library/env.ts'
export {
  type Actions,
  type AutoresetMode,
  VecEnv,
  type VecInfo,
  type VecReset,
  type VecResetOptions,
  type VecStep,
} from './library/vec-env.ts'
