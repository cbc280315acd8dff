import type { Handler } from '../../call/handler.ts'

export const stepOutput: Handler<'stepOutput'> = async ({ pipelines }, { runId, key }, { scope }) => {
  pipelines.find(runId, scope?.id)
  return { output: pipelines.outputOf(runId, key) }
}
