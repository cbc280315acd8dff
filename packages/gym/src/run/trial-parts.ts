/** The parts of one trial. */

import { type Client, type Clock, isTermError } from '@agentpty/protocol'
import type { ExceptionInfo, RunRequest, Timing, TrialConfig, TrialResult } from '@agentpty/protocol/gym'
import { exceptionInfo, timing } from '../harbor/trial-folder.ts'
import type { VerifierError } from '../harbor/verifier-rewards.ts'
import type { Player } from './job-result.ts'

export interface TrialParts {
  readonly clock: Clock
  /** A connection of its own: it closes with everything the trial made, and a lost server fails no other trial. */
  readonly connect: () => Promise<Client>
  readonly player: Player
  /** The task's folder, with everything that depends on a seed written. */
  readonly task: string
  readonly source: string | null
  readonly seed: number | null
  readonly config: TrialConfig
  /** The trial's, which is there. */
  readonly folder: string
  readonly request: Pick<RunRequest, 'allowRun' | 'allowNetwork' | 'offlineOk' | 'hostVariables'>
  readonly signal: AbortSignal
  /** Makes the task's folder, where it is not there yet. */
  readonly prepare: () => Promise<void>
  readonly tellTerminal: (terminalId: string) => void
}

type Phase = 'environment_setup' | 'agent_setup' | 'agent_execution' | 'verifier'

/** Records the start and the end of each phase; for repeated phases, the first start and the last end. */
export class Phases {
  readonly #clock: Pick<Clock, 'wall'>
  readonly #known = new Map<Phase, Timing>()

  constructor(clock: Pick<Clock, 'wall'>) {
    this.#clock = clock
  }

  async during<Result>(phase: Phase, work: () => Promise<Result>): Promise<Result> {
    const from = this.#known.get(phase)?.started_at ?? timing(this.#clock.wall(), null).started_at
    try {
      return await work()
    } finally {
      this.#known.set(phase, { started_at: from, finished_at: timing(0, this.#clock.wall()).finished_at })
    }
  }

  get all(): Pick<TrialResult, Phase> {
    const of = (phase: Phase) => this.#known.get(phase) ?? null
    return {
      environment_setup: of('environment_setup'),
      agent_setup: of('agent_setup'),
      agent_execution: of('agent_execution'),
      verifier: of('verifier'),
    }
  }
}

// Failures of a trial, in the words of Harbor's results.

type PlayerFault = 'AgentTimeoutError' | 'NonZeroAgentExitCodeError' | 'AgentError'

/** Returns the fault for an error of the machinery, which ended the trial before it was judged. It says nothing about the player. */
export function faultOf(error: unknown, at: number): ExceptionInfo {
  if (!isTermError(error)) {
    const [message, traceback = ''] = error instanceof Error ? [error.message, error.stack ?? ''] : [String(error)]
    return exceptionInfo({ type: 'InternalError', message, traceback, at })
  }
  const type =
    error.code === 'cancelled' ? 'CancelledError' : error.code === 'invalid_input' ? 'InvalidTaskError' : 'InfraError'
  return exceptionInfo({ type, message: `${error.message} ${error.hint}`, at })
}

export function playerFault(type: PlayerFault | VerifierError, message: string, at: number): ExceptionInfo {
  return exceptionInfo({ type, message, at })
}
