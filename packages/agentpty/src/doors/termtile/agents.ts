/**
 * Which agent has which slot. An agent is a terminal called `termtile-<workspace>-<slot>`: the list of terminals is the
 * only record, so nothing is lost with a daemon, and a slot keeps its number as long as its terminal is there.
 */

import { hasFinished } from '../../contracts/agents/has-finished.ts'
import type { Client } from '../../contracts/client.ts'
import { TermError } from '../../contracts/errors.ts'
import type { VerbOutput } from '../../contracts/verbs/index.ts'
import { aside } from '../parts/aside.ts'

export interface Agent {
  readonly terminalId: string
  readonly workspace: string
  readonly slot: number
  /** The name of its terminal. */
  readonly sessionName: string
  readonly type: string
  readonly spawnMode: 'window' | 'pane'
  /** What runs in the terminal now. */
  readonly command: string
  readonly exists: boolean
  readonly isIdle: boolean
  /** Its answers are asked for between fences. */
  readonly asksForAnswer: boolean
}

export function sessionNameOf(workspace: string, slot: number): string {
  return `termtile-${workspace}-${slot}`
}

/** All agents, by workspace and slot. */
export async function findAgents(client: Client): Promise<readonly Agent[]> {
  const [{ terminals }, { agents }] = await Promise.all([client.call('list', {}), client.call('agents', {})])
  const known = new Map(agents.map((agent) => [agent.terminalId, agent]))
  const found = terminals.flatMap((terminal) => toAgent(terminal, known.get(terminal.terminalId)))
  return found.toSorted((a, b) => a.workspace.localeCompare(b.workspace) || a.slot - b.slot)
}

function toAgent(
  terminal: VerbOutput<'list'>['terminals'][number],
  known: VerbOutput<'agents'>['agents'][number] | undefined,
): readonly Agent[] {
  const { terminalId, name = '', command, isActive } = terminal
  const [, workspace, slot] = /^termtile-(.+)-(\d+)$/.exec(name) ?? []
  if (workspace === undefined || slot === undefined) return []
  const inWindow = /^exec "\$SHELL" -ic '?(.*?)'?$/s.exec(command)?.[1]?.replaceAll(`'\\''`, "'")
  return [
    {
      terminalId,
      workspace,
      slot: Number(slot),
      sessionName: name,
      type: known?.type ?? inWindow ?? command,
      asksForAnswer: known?.asksForAnswer ?? false,
      spawnMode: inWindow === undefined ? 'pane' : 'window',
      command: inWindow ?? command,
      exists: isActive,
      isIdle: hasFinished(terminal),
    },
  ]
}

export interface WorkspaceFields {
  readonly workspace?: string | null | undefined
  readonly source_workspace?: string | null | undefined
}

const defaultWorkspace = 'default'

/** Errors: `invalid_input` when no workspace is named and there are several, or when the name is not allowed. */
export function workspaceOf(tool: string, fields: WorkspaceFields, agents: readonly Agent[]): string {
  const named = fields.workspace ?? fields.source_workspace
  if (named != null) return checkedName(named)
  const known = [...new Set(agents.map(({ workspace }) => workspace))]
  if (known.length <= 1) return known[0] ?? defaultWorkspace
  throw new TermError(
    'invalid_input',
    `ambiguous workspace for ${tool}: multiple registered agent-mode workspaces found (${known.join(', ')}); pass workspace explicitly or provide source_workspace`,
    '',
  )
}

/** Errors: `invalid_input`. */
export function checkedName(workspace: string): string {
  if (/^[\w.-]{1,48}$/.test(workspace)) return workspace
  throw new TermError(
    'invalid_input',
    `workspace "${workspace}" is no name: letters, digits, "_", "." and "-" only, at most 48`,
    '',
  )
}

/** Errors: `session_not_found`. */
export async function findAgent(
  client: Client,
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
export function untracked(message: string, agents: readonly Agent[], workspace: string): TermError {
  const own = agents.filter((agent) => agent.workspace === workspace)
  const hint = 'Slots count from 0; spawn_agent tells which one it took, list_agents all.'
  if (own.length === 0) return new TermError('session_not_found', message, hint)
  const slots = own.map(({ slot, type }) => `${slot} (${type})`).join(', ')
  return new TermError('session_not_found', `${message}; slots there: ${slots}`, hint)
}

/** The lowest slot from `from` on that no terminal has. */
export function freeSlot(agents: readonly Agent[], workspace: string, from = 0): number {
  const taken = new Set(agents.filter((agent) => agent.workspace === workspace).map(({ slot }) => slot))
  let slot = from
  while (taken.has(slot)) slot++
  return slot
}
