/** Starting an agent in a slot of a workspace, or under a name of its own. */

import { defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import { slotName } from '@agentpty/protocol/agents'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { aside } from '../aside.ts'
import { findAgents, freeSlot } from './agents.ts'
import type { AgentCall } from './queued-agents.ts'

/** A command that does not exist fails within this time; a program that needs longer is not waited for. */
const startMsMax = 2_000
/** Two calls may find the same slot free; the later one takes the next. */
const attemptsMax = 20

export interface Opening {
  readonly type: string
  /** Its name, the one under which it was queued, or the workspace in which it gets the next free slot. */
  readonly place: { readonly name: string } | { readonly queuedAs: string } | { readonly workspace: string }
  /** Null: as its settings say. */
  readonly throughShell: NonNullable<VerbInput<'spawn'>['throughShell']> | null
  readonly cwd: string | null
  readonly model: string | null
  readonly task: string
}

export interface Opened {
  readonly terminalId: string
  readonly name: string
  /** Null for one with a name of its own. */
  readonly slot: number | null
  readonly spawned: VerbOutput<'spawn'>
}

/** Errors: `invalid_input` for an unknown agent; those of opening a terminal. */
export async function openAgent(opening: Opening, call: OpeningCall): Promise<Opened> {
  const { place } = opening
  const { isReserved } = call.queue
  if ('queuedAs' in place) return { ...(await open(opening, place.queuedAs, call)), slot: null }
  if ('name' in place) return { ...(await openHeld(opening, place.name, call)), slot: null }
  for (let [attempt, from] = [1, 0]; ; attempt++) {
    const { workspace } = place
    const slot = freeSlot(await findAgents(aside(call.client)), { workspace, from, isReserved })
    try {
      return { ...(await openHeld(opening, slotName(workspace, slot), call)), slot }
    } catch (error) {
      if (!isTermError(error) || error.code !== 'name_taken' || attempt === attemptsMax) throw error
      // Another call is just opening its terminal.
      from = slot + 1
    }
  }
}

type OpeningCall = Pick<AgentCall, 'client' | 'signal' | 'queue'>

/** Reserves the name while its terminal is opened. */
async function openHeld(opening: Opening, name: string, call: OpeningCall): Promise<Omit<Opened, 'slot'>> {
  const release = call.queue.hold(name)
  try {
    return await open(opening, name, call)
  } finally {
    release()
  }
}

async function open(
  { type, throughShell, model, cwd, task }: Opening,
  name: string,
  { client, signal }: OpeningCall,
): Promise<Omit<Opened, 'slot'>> {
  const request = defined({
    name,
    agent: type,
    throughShell: throughShell ?? undefined,
    model: model ?? undefined,
    cwd: cwd ?? undefined,
    instruction: task,
    atDialog: 'wait' as const,
    waitTimeoutMs: startMsMax,
  })
  const spawned = await client.call('spawn', request, { signal })
  if (spawned.terminal === null) throw unknownType(type, spawned.suggestions)
  return { terminalId: spawned.terminal.terminalId, name, spawned }
}

function unknownType(type: string, available: readonly string[]): TermError {
  if (available.includes(type))
    return new TermError(
      'spawn_failed',
      `the command of agent type "${type}" was not found`,
      'Its entry in agents: of config.yaml names it.',
    )
  return invalidInput(
    `unknown agent type "${type}"; available: [${available.join(' ')}]`,
    'Any command on the PATH is an agent type as well.',
  )
}
