/** The states of terminals for the tables of the command line, in the words of the page. */

import type { Client } from '@agentpty/protocol'
import type { NeedKind } from '@agentpty/protocol/needs'
import type { TerminalState } from '@agentpty/protocol/session'
import type { ListedTerminal } from '@agentpty/protocol/verbs'

export type TerminalStates = ReadonlyMap<string, TerminalState>

/** Returns the list, and the state of each terminal by its id. */
export async function readStates(
  client: Client,
): Promise<{ readonly terminals: readonly ListedTerminal[]; readonly states: TerminalStates }> {
  const [{ terminals }, { needs }, { agents }] = await Promise.all([
    client.call('list', {}),
    client.call('needs', {}),
    client.call('agents', {}),
  ])
  const kinds = new Map(needs.map(({ terminalId, kind }) => [terminalId, kind]))
  const ofAgents = new Set(agents.map(({ terminalId }) => terminalId))
  const stateOf = (one: ListedTerminal) =>
    terminalState(one, { need: kinds.get(one.terminalId), isAgent: ofAgents.has(one.terminalId) })
  return { terminals, states: new Map(terminals.map((one) => [one.terminalId, stateOf(one)])) }
}

export type Turn = Pick<ListedTerminal, 'kind' | 'exitCode' | 'signal' | 'isPaused'> & {
  readonly state?: ListedTerminal['state'] | undefined
}

interface Known {
  readonly need?: NeedKind | undefined
  readonly isAgent?: boolean
}

export function terminalState(turn: Turn, { need, isAgent = false }: Known = {}): TerminalState {
  const { state = null, kind = null, exitCode = null, signal = null, isPaused = false } = turn
  return { state, kind, need: need ?? null, exitCode, signal, isPaused, isAgent }
}
