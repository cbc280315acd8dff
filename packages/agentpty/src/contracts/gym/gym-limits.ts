/** Every bound of what is read from tasks, trials and trajectories: they come from elsewhere, and a verifier's folder from the agent itself. */

const KiB = 1_024
const MiB = 1_024 * KiB
const GiB = 1_024 * MiB

/** task.toml, task.yaml, dataset.toml of a large data set. */
export const settingsFileBytesMax = 8 * MiB
/** Tables in tables; the deepest that a format has is five. */
export const nestingMax = 32
/** Arguments of tool calls are deeper than settings, and trajectories lie in each other. */
export const jsonNestingMax = 128
export const instructionBytesMax = 4 * MiB
/** Of a task; the largest known has some hundred. */
export const taskStepsMax = 1_000
/** Of one list or map in a task: hosts, variables, artifacts. */
export const taskItemsMax = 10_000
/** As Harbor's verifiers have it. */
export const rewardFileBytesMax = MiB
export const rewardsMax = 10_000

/** What a task's folder may hold where it is hashed or copied. */
export const folderFilesMax = 50_000
export const folderDepthMax = 64
export const folderBytesMax = 4 * GiB

export const dockerfileBytesMax = MiB
export const dockerfileInstructionsMax = 2_000

/** A trial's or job's JSON; a job's has all its trials. */
export const resultFileBytesMax = 256 * MiB
export const trajectoryBytesMax = 512 * MiB
/** Trajectories inside trajectories. */
export const subagentDepthMax = 8
/** Of a validator's list: who has a hundred faults to mend looks again. */
export const trajectoryFaultsMax = 100

/** Of one reply of a model; the longest that a model can give has about 500,000. */
export const replyCharactersMax = 4 * MiB
/** Commands in one reply. */
export const replyCommandsMax = 10_000
/** What a command of Terminus-2 may wait at most, in seconds. */
export const terminusSecondsMax = 60
