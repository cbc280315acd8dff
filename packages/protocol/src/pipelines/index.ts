export {
  type Condition,
  Pipeline,
  PipelineRun,
  pipelineFileBytesMax,
  type RunState,
  type RunStore,
  runsKeptMax,
  runsMax,
  ShownRun,
  Step,
  StepRun,
  shownRun,
  stepSecondsDefault,
  stepsAtOnceDefault,
  stepsMax,
} from './pipeline.ts'
export type { Pipelines, RunCaller, RunRequest } from './pipelines.ts'
