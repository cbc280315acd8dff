/** The interface between the verbs of pipelines and the module that runs them. */

import type { CallContext } from '../call/call-context.ts'
import type { Client } from '../client.ts'
import type { Millis } from '../units.ts'
import type { PipelineRun } from './pipeline.ts'

export interface RunRequest {
  readonly text: string
  readonly inputs: Readonly<Record<string, string>>
  readonly cwd: string
}

/** The caller that starts a run: its steps are calls of the same caller. */
export interface RunCaller {
  readonly context: CallContext
  readonly call: Client['call']
}

export interface Pipelines {
  /** Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
  start(request: RunRequest, caller: RunCaller): PipelineRun
  /** Returns the runs of a scope, the newest last; undefined: all. */
  list(scope: string | undefined): readonly PipelineRun[]
  /** Errors: `invalid_input` for one that is not there. */
  find(runId: string, scope: string | undefined): PipelineRun
  /** The answer of one of its steps; null where there is none. */
  outputOf(runId: string, key: string): string | null
  /** Ends its steps, and begins no more. */
  cancel(runId: string, caller: RunCaller): Promise<PipelineRun>
  /** Does again what has failed or was cancelled, and what was skipped for it; what is done stays. */
  resume(runId: string, caller: RunCaller): PipelineRun
  /** Changes with every change of any run. */
  readonly version: number
  /** Resolves when the version is another, or at this time by the server’s clock. */
  changed(since: number, latest: Millis, signal?: AbortSignal): Promise<void>
}
