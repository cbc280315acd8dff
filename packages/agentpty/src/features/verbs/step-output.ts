import type { Handler } from './steps/handler.ts'

export const stepOutput: Handler<'stepOutput'> = async ({ pipelines }, { runId, key }, { scope }) => {
  pipelines.find(runId, scope?.id)
  return { output: pipelines.outputOf(runId, key) }
}
