import { resolve } from 'node:path'
import { shownRun } from '../../../contracts/pipelines/shown-run.ts'
import type { Handler } from '../../call/handler.ts'

export const runPipeline: Handler<'runPipeline'> = async (engine, { text, inputs, cwd }, context, call) => {
  const request = { text, inputs, cwd: resolve(context.cwd, cwd ?? '.') }
  return { run: shownRun(engine.pipelines.start(request, { context, call })) }
}
