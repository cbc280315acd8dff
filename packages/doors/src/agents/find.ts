/** Finds an agent by its id, its name or its slot: a running or a queued one. */

import { firstFew, invalidInput, TermError } from '@agentpty/protocol'
import { slotName } from '@agentpty/protocol/agents'
import { type AnyAgent, findAllAgents, untracked, workspaceOf } from '../parts/agents/agents.ts'
import { type QueuedAgent, waitsFor } from '../parts/agents/queued-agents.ts'
import { aside } from '../parts/aside.ts'
import type { OneAgent } from './contract.ts'
import type { CallOfAgents } from './dialog.ts'

export type Found =
  | { readonly kind: 'agent'; readonly agent: AnyAgent }
  | { readonly kind: 'queued'; readonly queued: QueuedAgent }

export type Ref = number | string

/** Lists them on the side of a call, for which the policy is not asked. */
export function everyAgent(call: CallOfAgents) {
  return listEveryone({ ...call, client: aside(call.client) })
}

/** Those that run, and those that are queued and the caller may know of. */
export async function listEveryone({ client, queue, origin: { scope } }: CallOfAgents) {
  const agents = await findAllAgents(client)
  const seen = new Set(agents.map(({ sessionName }) => sessionName))
  const queued = queue.all().filter(({ origin }) => scope === null || origin.scope === scope)
  // A failed agent is listed with its reason, even if its terminal exists.
  return { agents, queued: queued.filter(({ name, failure }) => failure !== null || !seen.has(name)) }
}

export type Everyone = Awaited<ReturnType<typeof everyAgent>>

/** Null when there is none. Errors: `invalid_input` where the workspace must be named. */
export function find(
  ref: Ref,
  tool: string,
  workspace: string | undefined,
  { agents, queued }: Everyone,
): Found | null {
  const name = typeof ref === 'number' ? slotName(workspaceOf(tool, { workspace }, [...agents, ...queued]), ref) : ref
  const agent = agents.find((one) => one.terminalId === name || one.sessionName === name)
  if (agent !== undefined) return { kind: 'agent', agent }
  const waiting = queued.find((one) => one.name === name)
  return waiting === undefined ? null : { kind: 'queued', queued: waiting }
}

/** Errors: `session_not_found`, `invalid_input`. */
export async function findOne(tool: string, { id, slot, workspace }: OneAgent, call: CallOfAgents): Promise<Found> {
  const ref = id ?? slot
  if (ref === undefined) throw invalidInput('No agent is named.', 'Give its id or its slot.')
  const all = await everyAgent(call)
  const found = find(ref, tool, workspace, all)
  if (found !== null) return found
  if (typeof ref === 'number') {
    const place = workspaceOf(tool, { workspace }, [...all.agents, ...all.queued])
    throw untracked(`no agent tracked in workspace "${place}" slot ${ref}`, all.agents, place)
  }
  const names = firstFew(all.agents.map(({ terminalId }) => terminalId))
  const hint =
    names === '' ? 'There is none; start one with spawn_agent.' : `There are: ${names}. list_agents shows them.`
  throw new TermError('session_not_found', `No agent "${ref}".`, hint)
}

/** Finds a running agent. Errors: as {@link findOne}; `agent_busy` for one that is queued, `invalid_input` for one that was not started. */
export async function findRunning(tool: string, named: OneAgent, call: CallOfAgents): Promise<AnyAgent> {
  const found = await findOne(tool, named, call)
  if (found.kind === 'agent') return found.agent
  const { failure, name } = found.queued
  if (failure !== null) throw failure
  const hint = 'Wait for it with wait_for_idle, or take it back with kill_agent.'
  throw new TermError('agent_busy', `${name} is queued: it waits for ${waitsFor(found.queued).join(', ')}.`, hint)
}
