import { shownRun } from '../../../contracts/pipelines/shown-run.ts'
import type { Handler } from '../../call/handler.ts'

export const pipelines: Handler<'pipelines'> = async (engine, { runId, since, waitTimeoutMs }, { scope, signal }) => {
  const { pipelines, clock } = engine
  if (waitTimeoutMs > 0) await pipelines.changed(since ?? pipelines.version, clock.now() + waitTimeoutMs, signal)
  const runs = runId === undefined ? pipelines.list(scope?.id) : [pipelines.find(runId, scope?.id)]
  return { runs: runs.map(shownRun), version: pipelines.version }
}
