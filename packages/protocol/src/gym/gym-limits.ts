/** The bounds of environments, and of what is read from tasks, trials and trajectories. Sizes are bytes, durations milliseconds, unless the name says otherwise. */

const KiB = 1_024
const MiB = 1_024 * KiB
const GiB = 1_024 * MiB

/** Open environments of one server, where config.yaml does not set `gym: environmentsMax`. Each has a container, some processes and a terminal. */
export const environmentsMaxDefault = 256
/** The most that config.yaml may set: below `containersMax`, so that a reset finds room while the container before it ends. */
export const environmentsMaxMax = 1_000
/** Containers of one server: CONTAINERS_MAX of native/ptyhost/src/container_linux.c. */
export const containersMax = 1_024
/** A container that is not there by then is given up. */
export const containerStartMs = 30_000
/** Default limits of the programs of one container. */
export const containerMemoryBytesDefault = 2_048 * MiB
export const containerProcessesDefault = 512
export const containerFileBytesDefault = 4_096 * MiB
/** Bytes that may be written into its layers together where they are in memory. */
export const stageBytesDefault = 1_024 * MiB
/** The same of each of its other folders: /tmp, /root, /logs. */
export const rootBytesDefault = 512 * MiB
/** Files of one environment at its beginning. */
export const copyMsMax = 600_000
export const actionsPerEpisodeMax = 100_000
/** Steps that wait for the current one. */
export const stepsAheadMax = 16
export const stepMsDefault = 60_000
export const stepMsMax = 24 * 60 * 60 * 1_000
/** Bytes of output of one step. Output beyond it is left out in the middle, and the observation says so. */
export const observationBytesMax = 256 * 1024
/** Characters of a terminal's output since the last action, in which a wait finds its text. */
export const shownCharactersMax = 64 * 1024
/** Bytes of each output of a command that is run beside the terminals. */
export const execOutputBytesMax = 8 * MiB
export const execInputBytesMax = 16 * MiB
export const execMsDefault = 60_000
/** Folders that are put into one environment, besides its working folder. */
export const environmentLayersMax = 24
/** Default limit of environments that a door has at the same time. */
export const doorEnvironmentsDefault = 16
/** An environment without a connection ends after this time without a call. */
export const doorIdleMsDefault = 60 * 60 * 1_000
export const doorIdleMsMax = 30 * 24 * 60 * 60 * 1_000
/** Messages of one connection that wait for the one that is being answered. */
export const doorMessagesAheadMax = 16
/** Shells of one SWE-ReX runtime. */
export const doorShellsMax = 64
/** Answers that are kept for a client that asks a second time because it has lost the first one. */
export const doorAnswersKeptMax = 64
export const doorAnswersBytesMax = 32 * MiB

// Limits of files: they come from elsewhere, and a verifier's folder from the agent itself.

/** task.toml, task.yaml, dataset.toml of a large data set. */
export const settingsFileBytesMax = 8 * MiB
/** Tables in tables; the deepest that a format has is five. */
export const nestingMax = 32
/** Arguments of tool calls are deeper than settings, and trajectories lie in each other. */
export const jsonNestingMax = 128
export const instructionBytesMax = 4 * MiB
/** Steps of a task; the largest known has some hundred. */
export const taskStepsMax = 1_000
/** Items of one list or map in a task: hosts, variables, artifacts. */
export const taskItemsMax = 10_000
/** The same as Harbor's verifiers have. */
export const rewardFileBytesMax = MiB
export const rewardsMax = 10_000

/** Limits of a task's folder where it is hashed or copied. */
export const folderFilesMax = 50_000
export const folderDepthMax = 64
export const folderBytesMax = 4 * GiB

/** The most of a task's script that is searched for commands. */
export const scriptBytesMax = 8 * MiB
/** Bytes of all scripts of a task, where they are searched for a verifier's tools. */
export const verifierTextBytesMax = 64 * MiB
export const dockerfileBytesMax = MiB
export const dockerfileInstructionsMax = 2_000

/** A trial's or job's JSON; a job's has all its trials. */
export const resultFileBytesMax = 256 * MiB
export const trajectoryBytesMax = 512 * MiB
/** Trajectories inside trajectories. */
export const subagentDepthMax = 8
/** Faults in a validator's list: after fixing a hundred, the author validates again. */
export const trajectoryFaultsMax = 100

/** Characters of one reply of a model; the longest that a model can give has about 500,000. */
export const replyCharactersMax = 4 * MiB
/** Commands in one reply. */
export const replyCommandsMax = 10_000
/** The longest wait of a command of Terminus-2, in seconds. */
export const terminusSecondsMax = 60

// Limits of trials.

/** Bytes of files that are put into a running environment in one call: tests, a solution. */
export const uploadBytesMax = 256 * MiB
/** Bytes that are taken out of one environment: artifacts, and the files of the verifier. */
export const artifactBytesMax = 256 * MiB
/** Characters of a verifier's output in its result. */
export const verifierOutputCharactersMax = 16 * KiB
export const trialsMax = 100_000
export const trialsAtOnceMax = 128
/** Lines of a JSON-lines player that are no actions, in a row. */
export const playerFaultsMax = 20
/** Bytes of its standard error in its log. */
export const playerLogBytesMax = 16 * MiB
/** How long a task without a limit of its own is played. */
export const agentSecondsDefault = 3_600
/** How long one wait for a playing agent lasts; then its time limit is checked. */
export const agentWaitMs = 60_000
