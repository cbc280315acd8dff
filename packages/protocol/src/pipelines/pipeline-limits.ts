/** The bounds of pipelines. */

/** Steps of one, those that stand for several included. */
export const stepsMax = 200
export const pipelineFileBytesMax = 256 * 1024
/** Of a step’s instruction, once it is filled: as much as one call may send. */
export const stepTaskBytesMax = 4 * 1024 * 1024
export const stepRetriesMax = 10
/** How long (s) a step may work where nothing else is said, and at most. */
export const stepSecondsDefault = 3_600
export const stepSecondsMax = 7 * 86_400
/** Steps at work at once, where nothing else is said. */
export const stepsAtOnceDefault = 8
/** Runs that are kept, ended ones included; the oldest ended one goes first. */
export const runsKeptMax = 100
/** Runs that have not ended. */
export const runsMax = 20
