/** What a wait for agents is told of them by what is kept of each, and what it keeps: the answers that it sees. */

import type { Adapter } from '../../contracts/agents/adapter.ts'
import type { AgentTerminals } from '../../contracts/agents/agents.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Artifacts } from './artifacts.ts'
import type { Awaiting } from './await-agents.ts'
import { fencesOf } from './fences.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'

export interface AwaitedBy {
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly artifacts: Artifacts
  /** As they are set now. */
  readonly adapters: readonly Adapter[]
}

/** Terminals are given by their ids or names. */
export function awaitingOf({ clock, kept, artifacts, adapters }: AwaitedBy, terminals: AgentTerminals): Awaiting {
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
    answered: (named, output) => {
      artifacts.keep(terminals.idOf(named), { output, source: 'fences' }, clock.wall())
    },
    pendingOf: (named) => kept.pending.get(terminals.idOf(named)) ?? null,
  }
}
