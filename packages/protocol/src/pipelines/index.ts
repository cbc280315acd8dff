export { type Condition, Pipeline, Step } from './pipeline.ts'
export {
  pipelineFileBytesMax,
  runsKeptMax,
  runsMax,
  stepSecondsDefault,
  stepsAtOnceDefault,
  stepsMax,
} from './pipeline-limits.ts'
export type { Pipelines, RunCaller, RunRequest } from './pipelines.ts'
export { PipelineRun, type RunState, type RunStore, StepRun } from './run.ts'
export { ShownRun, shownRun } from './shown-run.ts'
