export { TrajectoryWriter } from './atif/trajectory-writer.ts'
export { readTrajectory, type TrajectoryCheck, validateTrajectory } from './atif/validate.ts'
export { GymEnvironments } from './environments.ts'
export { gymHandlers } from './handlers.ts'
export { checkDataset, datasetOf, readDatasetToml, taskDigest, writeDatasetToml } from './harbor/dataset.ts'
export { type Dockerfile, parseDockerfile } from './harbor/dockerfile.ts'
export { hostVariables, resolveVariables } from './harbor/host-variables.ts'
export { type ImportedTask, importTerminalBench, writeImportedTask } from './harbor/import-terminal-bench.ts'
export { evaluations, jobConfig, jobName, jobPlaces, jobResult, readJobResult, writeJob } from './harbor/job-folder.ts'
export { readTask, readTaskToml, type TaskFolder } from './harbor/read-task.ts'
export { reachesMinimum, taskRewards } from './harbor/step-rewards.ts'
export { readKeystrokeSolution, writeTaskToml } from './harbor/terminal-bench-task.ts'
export { readTrialResult, trialConfig, trialName, trialPlaces, trialResult, writeTrial } from './harbor/trial-folder.ts'
export { readVerifierRewards, removeRewards, type VerifierVerdict, verifierPlace } from './harbor/verifier-rewards.ts'
export { systemOf } from './inside.ts'
export { containerMaker, effectiveTimeouts } from './make-container.ts'
export type { Seats } from './run/agent-player.ts'
export {
  EnvironmentTask,
  type EnvironmentTaskOptions,
  type OpenedTask,
  openTask,
  type TaskCall,
  type TaskPlaces,
} from './run/environment-task.ts'
export { gymRoom } from './run/gym-room.ts'
export { makeEtcFolder } from './settle-reset.ts'
export { parseTerminusReply, type TerminusReply, terminusFeedback } from './terminus.ts'
export { removePath } from './tree/remove.ts'
