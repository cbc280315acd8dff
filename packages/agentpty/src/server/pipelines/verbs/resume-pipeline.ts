import { shownRun } from '../../../contracts/pipelines/shown-run.ts'
import type { Handler } from '../../call/handler.ts'

export const resumePipeline: Handler<'resumePipeline'> = async ({ pipelines }, { runId }, context, call) => {
  pipelines.find(runId, context.scope?.id)
  return { run: shownRun(pipelines.resume(runId, { context, call })) }
}
