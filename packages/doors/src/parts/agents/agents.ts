/**
 * Agents as they are seen through terminals. One in a slot is a terminal called `termtile-<workspace>-<slot>`: the list of terminals is
 * the only record, so nothing is lost with a daemon, and a slot keeps its number as long as its terminal is there.
 */

import { invalidInput, type ServerClient, TermError } from '@agentpty/protocol'
import { hasCrashed, hasFinished, slotName } from '@agentpty/protocol/agents'
import type { ListedAgent, ListedTerminal } from '@agentpty/protocol/verbs'
import { aside } from '../aside.ts'

export interface AnyAgent {
  readonly terminalId: string
  readonly workspace: string | null
  readonly slot: number | null
  /** The name of its terminal; its id where it has none. */
  readonly sessionName: string
  readonly type: string
  readonly spawnMode: 'window' | 'pane'
  /** The command that runs in the terminal now. */
  readonly command: string
  readonly exists: boolean
  readonly isIdle: boolean
  /** Its answers are asked for between fences. */
  readonly asksForAnswer: boolean
  /** Whose turn it is in its terminal, and where that is. */
  readonly terminal: ListedTerminal
  /** Stored data of the agent; undefined for a terminal that only has a similar name. */
  readonly known: ListedAgent | undefined
}

export interface Agent extends AnyAgent {
  readonly workspace: string
  readonly slot: number
}

/** Where a name like that of an agent in a slot puts it. */
export function placeIn(name: string): { readonly workspace: string; readonly slot: number } | null {
  const [, workspace, slot] = /^termtile-(.+)-(\d+)$/.exec(name) ?? []
  return workspace === undefined || slot === undefined ? null : { workspace, slot: Number(slot) }
}

/** All agents that were started as such, and all in slots, in the order in which they were started. */
export async function findAllAgents(client: ServerClient): Promise<readonly AnyAgent[]> {
  const [{ terminals }, { agents }] = await Promise.all([client.call('list', {}), client.call('agents', {})])
  const known = new Map(agents.map((agent) => [agent.terminalId, agent]))
  return terminals.flatMap((terminal) => toAgent(terminal, known.get(terminal.terminalId)))
}

/** Those in slots, by workspace and slot. */
export async function findAgents(client: ServerClient): Promise<readonly Agent[]> {
  const found = (await findAllAgents(client)).filter((agent): agent is Agent => agent.slot !== null)
  return found.toSorted((a, b) => a.workspace.localeCompare(b.workspace) || a.slot - b.slot)
}

function toAgent(terminal: ListedTerminal, known: ListedAgent | undefined): readonly AnyAgent[] {
  const { terminalId, name = '', command, isActive } = terminal
  const place = placeIn(name)
  if (place === null && known === undefined) return []
  const inWindow = /^exec "\$SHELL" -ic '?(.*?)'?$/s.exec(command)?.[1]?.replaceAll(`'\\''`, "'")
  return [
    {
      terminalId,
      workspace: place?.workspace ?? null,
      slot: place?.slot ?? null,
      sessionName: name || terminalId,
      type: known?.type ?? inWindow ?? command,
      asksForAnswer: known?.asksForAnswer ?? false,
      spawnMode: inWindow === undefined ? 'pane' : 'window',
      command: inWindow ?? command,
      exists: isActive,
      isIdle: hasFinished(terminal) && !hasCrashed(terminal),
      terminal,
      known,
    },
  ]
}

export interface WorkspaceFields {
  readonly workspace?: string | null | undefined
  readonly source_workspace?: string | null | undefined
}

const defaultWorkspace = 'default'

/** Errors: `invalid_input` when no workspace is named and there are several, or when the name is not allowed. */
export function workspaceOf(
  tool: string,
  fields: WorkspaceFields,
  agents: readonly Pick<AnyAgent, 'workspace'>[],
): string {
  const named = fields.workspace ?? fields.source_workspace
  if (named != null) return checkedName(named)
  const known = [...new Set(agents.flatMap(({ workspace }) => workspace ?? []))]
  if (known.length <= 1) return known[0] ?? defaultWorkspace
  throw invalidInput(
    `ambiguous workspace for ${tool}: multiple registered agent-mode workspaces found (${known.join(', ')}); pass workspace explicitly or provide source_workspace`,
    '',
  )
}

/** Errors: `invalid_input`. */
export function checkedName(workspace: string): string {
  if (/^[\w.-]{1,48}$/.test(workspace)) return workspace
  throw invalidInput(`workspace "${workspace}" is no name: letters, digits, "_", "." and "-" only, at most 48`, '')
}

/** Errors: `session_not_found`. */
export async function findAgent(
  client: ServerClient,
  tool: string,
  input: WorkspaceFields & { readonly slot: number },
): Promise<Agent> {
  const agents = await findAgents(aside(client))
  const workspace = workspaceOf(tool, input, agents)
  const found = agents.find((agent) => agent.workspace === workspace && agent.slot === input.slot)
  if (found !== undefined) return found
  throw untracked(`no agent tracked in workspace "${workspace}" slot ${input.slot}`, agents, workspace)
}

/** The message lists the slots there are, because termtile's clients show nothing but the message. */
export function untracked(message: string, agents: readonly AnyAgent[], workspace: string): TermError {
  const own = agents.filter((agent) => agent.workspace === workspace)
  const hint = 'Slots count from 0; spawn_agent tells which one it took, list_agents all.'
  if (own.length === 0) return new TermError('session_not_found', message, hint)
  const slots = own.map(({ slot, type }) => `${slot} (${type})`).join(', ')
  return new TermError('session_not_found', `${message}; slots there: ${slots}`, hint)
}

export interface SlotSearch {
  readonly workspace: string
  /** The lowest that it may be; 0 without it. */
  readonly from?: number
  /** Reserved for a queued agent, or for one whose terminal is being opened. */
  readonly isReserved: (name: string) => boolean
}

/** Returns the lowest slot that has no terminal and is not reserved. */
export function freeSlot(
  agents: readonly Pick<AnyAgent, 'workspace' | 'slot'>[],
  { workspace, from = 0, isReserved }: SlotSearch,
): number {
  const taken = new Set(agents.filter((agent) => agent.workspace === workspace).map(({ slot }) => slot))
  let slot = from
  while (taken.has(slot) || isReserved(slotName(workspace, slot))) slot++
  return slot
}
