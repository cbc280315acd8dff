/** What a wait for agents is told of them by what is kept of each, and what it keeps: the answers that it sees. */

import type { Clock } from '@agentpty/protocol'
import type { Adapter, AgentTerminals } from '@agentpty/protocol/agents'
import type { Artifacts } from './artifacts.ts'
import type { Awaiting } from './await-agents.ts'
import { fencesOf } from './fences.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

export interface AwaitedBy {
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly artifacts: Artifacts
  readonly transcripts: Transcripts
  /** As they are set now. */
  readonly adapters: readonly Adapter[]
}

/** Terminals are given by their ids or names. */
export function awaitingOf(by: AwaitedBy, terminals: AgentTerminals): Awaiting {
  const { clock, kept, artifacts, transcripts, adapters } = by
  return {
    clock,
    idlePatternOf: (named) => {
      const type = kept.agentOf(terminals.idOf(named))?.type
      return adapters.find(({ name }) => name === type)?.idlePattern ?? null
    },
    fencesOf: (named) => {
      const nonce = kept.taskOf(terminals.idOf(named))?.nonce ?? null
      return nonce === null ? null : fencesOf(nonce)
    },
    givenAtOf: (named) => kept.taskOf(terminals.idOf(named))?.givenAt ?? null,
    exactAnswer: (named) => transcripts.answer(terminals.idOf(named)),
    answered: (named, captured) => {
      artifacts.keep(terminals.idOf(named), captured, clock.wall())
    },
    pendingOf: (named) => kept.pending.get(terminals.idOf(named)) ?? null,
  }
}
