/** The verbs of pipelines. */

import { resolve } from 'node:path'
import { shownRun } from '@agentpty/protocol/pipelines'
import type { Handlers } from '../call/index.ts'

export const pipelineHandlers = {
  cancelPipeline: async ({ pipelines }, { runId }, context, call) => {
    pipelines.find(runId, context.scope?.id)
    return { run: shownRun(await pipelines.cancel(runId, { context, call })) }
  },
  pipelines: async (engine, { runId, since, waitTimeoutMs }, { scope, signal }) => {
    const { pipelines, clock } = engine
    if (waitTimeoutMs > 0) await pipelines.changed(since ?? pipelines.version, clock.now() + waitTimeoutMs, signal)
    const runs = runId === undefined ? pipelines.list(scope?.id) : [pipelines.find(runId, scope?.id)]
    return { runs: runs.map(shownRun), version: pipelines.version }
  },
  resumePipeline: async ({ pipelines }, { runId }, context, call) => {
    pipelines.find(runId, context.scope?.id)
    return { run: shownRun(pipelines.resume(runId, { context, call })) }
  },
  runPipeline: async (engine, { text, inputs, cwd }, context, call) => {
    const request = { text, inputs, cwd: resolve(context.cwd, cwd ?? '.') }
    return { run: shownRun(engine.pipelines.start(request, { context, call })) }
  },
  stepOutput: async ({ pipelines }, { runId, key }, { scope }) => {
    pipelines.find(runId, scope?.id)
    return { output: pipelines.outputOf(runId, key) }
  },
} satisfies Partial<Handlers>
