/** Runs of pipelines. Other modules import this file alone. */

export { pipelineHandlers } from './handlers.ts'
export { memoryRunStore, runStore } from './run-files.ts'
export { Runs } from './runs.ts'
