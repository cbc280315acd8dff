/** Environments of one server, as the handlers of their verbs see them. */

import type { CallContext } from '../call/call-context.ts'
import type { Client } from '../client.ts'
import type { Millis, Offset } from '../units.ts'
import type { ParsedAction } from './action.ts'
import type { RunningContainer } from './container.ts'
import type { EnvironmentSpec, ResetKind, ResetResult, StepResult } from './environment.ts'
import type { TaskAbout, Verification } from './trial.ts'

/** The caller, and the way in which an environment reaches its terminals on their behalf. */
export interface EnvironmentCall {
  readonly call: Client['call']
  readonly context: CallContext
  /** A full-screen program draws in it. */
  readonly isFullScreen: (terminalId: string) => boolean
  readonly endOf: (terminalId: string) => Offset
}

export interface EnvironmentMade {
  readonly environmentId: string
  readonly isolation: EnvironmentSpec['isolation']
  readonly resetBy: ResetKind
  readonly workdir: string
  readonly task?: TaskAbout
}

/** How a program is started on a terminal inside. */
export interface InsideStart {
  readonly words: readonly string[]
  readonly ptmx: string
  /** Inside. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly shell: string
  readonly shellScripts: string
}

export interface Environments {
  /** It is closed when the caller's connection ends. Errors: `invalid_input`, `limit_reached`, `sandbox_unavailable`. */
  make(spec: EnvironmentSpec, caller: EnvironmentCall): Promise<EnvironmentMade>
  /** Errors: `environment_not_found`. A failure of the machinery is in `info`. */
  reset(id: string, options: { readonly seed: number | null }, caller: EnvironmentCall): Promise<ResetResult>
  step(id: string, asked: AskedStep, caller: EnvironmentCall): Promise<StepResult>
  /** Makes another environment in the same state. Errors: `environment_not_found`, `invalid_input` before its first reset, those of `make`. */
  fork(id: string, how: 'replay' | 'files', caller: EnvironmentCall): Promise<ForkResult>
  /** Runs the verifier and ends the episode. Errors: `environment_not_found`, `invalid_input` without a task; of the machinery. */
  verify(id: string, caller: EnvironmentCall): Promise<Verification>
  close(id: string, caller: EnvironmentCall): Promise<void>
  list(): readonly EnvironmentShown[]
  /** The container of an episode. Errors: `environment_not_found`, `invalid_input` where there is none. */
  container(id: string): RunningContainer
  /** The scope that its terminals belong to; null for none, and for an environment that is not there. */
  scopeOf(id: string): string | null
  /** For a terminal of it. Errors: as `container`. */
  insideStart(id: string, cwd?: string): InsideStart
}

export interface AskedStep {
  readonly action: ParsedAction
  /** A shorter bound than the environment's; null: that one. */
  readonly timeoutMs: Millis | null
}

export interface ForkResult extends ResetResult {
  readonly environmentId: string
  readonly task?: TaskAbout
  readonly replayed: number
  readonly differsAt: number | null
}

export interface EnvironmentShown extends EnvironmentMade {
  readonly episodeId: string | null
  readonly step: number
  readonly terminalId: string | null
}
