/** When each phase of a trial began and ended. */

import type { Clock } from '@agentpty/protocol'
import type { Timing, TrialResult } from '@agentpty/protocol/gym'
import { timing } from '../harbor/trial-folder.ts'

type Phase = 'environment_setup' | 'agent_setup' | 'agent_execution' | 'verifier'

/** When each phase began and ended; of those that come again, the first beginning and the last end. */
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
