import { shownRun } from '../../../contracts/pipelines/shown-run.ts'
import type { Handler } from '../../call/handler.ts'

export const cancelPipeline: Handler<'cancelPipeline'> = async ({ pipelines }, { runId }, context, call) => {
  pipelines.find(runId, context.scope?.id)
  return { run: shownRun(await pipelines.cancel(runId, { context, call })) }
}
