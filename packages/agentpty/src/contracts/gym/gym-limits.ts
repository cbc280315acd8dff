/** The bounds of environments. Sizes are bytes, durations milliseconds, unless the name says otherwise. */

const MiB = 1024 * 1024

/** At once, of one server; each has a container, some processes and a terminal. */
export const environmentsMax = 256
/** A container that is not there by then is given up. */
export const containerStartMs = 30_000
/** What the programs of one container may use, where nobody says otherwise. */
export const containerMemoryBytesDefault = 2_048 * MiB
export const containerProcessesDefault = 512
export const containerFileBytesDefault = 4_096 * MiB
/** What may be written into its layers together where they lie in memory. */
export const stageBytesDefault = 1_024 * MiB
/** The same of each of its other folders: /tmp, /root, /logs. */
export const rootBytesDefault = 512 * MiB
/** Files of one environment at its beginning. */
export const copyMsMax = 600_000
export const actionsPerEpisodeMax = 100_000
/** Steps that wait for the one that is being taken. */
export const stepsAheadMax = 16
export const stepMsDefault = 60_000
export const stepMsMax = 24 * 60 * 60 * 1_000
/** Of what has appeared in one step; what is more is left out in the middle, which is said. */
export const observationBytesMax = 256 * 1024
/** Of each output of a command that is run beside the terminals. */
export const execOutputBytesMax = 8 * MiB
export const execInputBytesMax = 16 * MiB
export const execMsDefault = 60_000
export const environmentsWaitMsMax = 60_000
/** Folders that are put into one environment, besides its working folder. */
export const environmentLayersMax = 24
/** Terminals of one environment besides its own. */
export const terminalsPerEnvironmentMax = 8
