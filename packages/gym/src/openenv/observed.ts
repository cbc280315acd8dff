/** Results of ours as observations of OpenEnv. */

import { defined } from '@agentpty/protocol'
import type { ResetResult, StepInfo, StepResult } from '@agentpty/protocol/gym'
import type { JsonObject } from '@agentpty/protocol/wire'

/** As a client gets it, in an answer or a message. */
export interface Observed {
  readonly observation: JsonObject
  /** Null where nothing can be said: after a reset, and when the machinery has failed. */
  readonly reward: number | null
  readonly done: boolean
  readonly terminated: boolean
  readonly truncated: boolean
  readonly metadata: JsonObject
}

export function observedReset(result: ResetResult, more: JsonObject): Observed {
  return observed({ ...result, reward: null, terminated: false, truncated: false }, more)
}

export function observedStep(result: StepResult, more: JsonObject): Observed {
  const reward = result.info.infraError === undefined ? result.reward : null
  return observed({ ...result, reward }, more)
}

type Seen = Omit<StepResult, 'reward'> & { readonly reward: number | null }

function observed({ observation: text, reward, terminated, truncated, info }: Seen, more: JsonObject): Observed {
  const metadata = { ...metadataOf(info), ...more }
  const { screen } = info
  return {
    observation: defined({ text, screen, terminated, truncated, metadata }),
    reward,
    done: terminated || truncated,
    terminated,
    truncated,
    metadata,
  }
}

function metadataOf(info: StepInfo): JsonObject {
  return defined({
    state: info.state,
    kind: info.kind,
    confidence: info.confidence,
    evidence: info.evidence,
    exit_code: info.exitCode,
    signal: info.signal,
    cursor: info.cursor,
    note: info.note,
    missed_bytes: info.missedBytes,
    omitted_bytes: info.omittedBytes,
    invalid_bytes: info.invalidBytes,
    step_ms: info.timing.stepMs,
    isolation: info.isolation,
    reset_by: info.resetBy,
    episode_id: info.episodeId,
    step: info.step,
    terminal_id: info.terminalId,
    rewards: info.rewards,
    infra_error: info.infraError,
  })
}
