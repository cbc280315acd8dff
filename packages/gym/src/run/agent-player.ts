/** An agent as the player, in a terminal of its own; its token shows only this trial. The journal has what it did. */

import { randomBytes } from 'node:crypto'
import { type Client, defined, ignoring, TermError } from '@agentpty/protocol'
import { type AgentContext, agentWaitMs, type StepInfo } from '@agentpty/protocol/gym'
import type { ScopeTokens } from '@agentpty/protocol/scope'
import { type VerbOutput, verbs } from '@agentpty/protocol/verbs'
import { agentContext } from '../harbor/trial-folder.ts'
import type { Played, Player, Seat, Table, TypedStep } from './job-result.ts'

export interface Seats {
  /** The known agents, with the user's own. Errors: `invalid_input` for settings that cannot be read. */
  readonly agentNames: () => readonly string[]
  readonly scopes: () => Promise<ScopeTokens>
  readonly connectAs: (token: string) => Promise<Client>
  /** The working folder of agents, which they trust already. */
  readonly cwd: string
}

export const isAgent = (command: string, { agentNames }: Pick<Seats, 'agentNames'>): boolean =>
  agentNames().includes(command.trim().split(/\s+/)[0] ?? '')

/** `command`: an agent by its name, or the command line that starts it. */
export function agentPlayer(command: string, model: string | null, seats: Seats): Player {
  const [name = command] = command.trim().split(/\s+/)
  return {
    name,
    version: 'unknown',
    isScripted: false,
    model,
    sit: () => sit(seats),
    play: (table) => playAgent(command, { model, cwd: seats.cwd }, table),
  }
}

async function sit({ scopes, connectAs }: Seats): Promise<Seat> {
  const tokens = await scopes()
  const { token, scope } = tokens.create(`gym-${randomBytes(6).toString('hex')}`, null)
  try {
    const client = await connectAs(token)
    const leave = async () => {
      await client.close()
      tokens.revoke(scope.name)
    }
    return { scope: scope.name, client, leave }
  } catch (error) {
    tokens.revoke(scope.name)
    throw error
  }
}

interface Start {
  readonly model: string | null
  readonly cwd: string
}

/** Errors: `spawn_failed` where it cannot be started, or never takes the task. */
async function playAgent(agent: string, { model, cwd }: Start, table: Table): Promise<Played> {
  const { seat, prepared, begun } = table
  if (seat === null) throw new TermError('internal', 'An agent has no seat.', 'Report this.')
  const { client } = seat
  const asked = {
    agent,
    cwd,
    label: `gym ${prepared.task.name}`.slice(0, 200),
    instruction: instructionFor(table),
    atDialog: 'wait' as const,
  }
  const { terminal, notInstructed, isInstructedLater } = await client.call(
    'spawn',
    defined({ ...asked, model: model ?? undefined }),
  )
  if (terminal === null) throw new TermError('spawn_failed', `${agent} is not on this machine.`, 'See: agentpty agents')
  const { terminalId } = terminal
  try {
    if (notInstructed !== null && !isInstructedLater)
      throw new TermError(
        'spawn_failed',
        `${agent} did not get its task: ${notInstructed}`,
        'Start it by hand once, and answer what it asks.',
      )
    await finished(client, terminalId, table.signal)
    return { exitCode: null, lastWords: null, context: await usedBy(client, terminalId) }
  } finally {
    await noteJournal(client, begun.info, table.noteTyped)
    await client.call('close', { terminalId }).catch(ignoring('session_not_found'))
  }
}

function instructionFor({ instruction, begun, prepared }: Table): string {
  const { terminalId, terminals = {} } = begun.info
  const further = Object.entries(terminals).map(([name, id]) => `; the terminal \`${name}\` is ${id}`)
  const place = `a container of its own, whose files are not those of this machine. Its working folder is ${prepared.spec.workdir}`
  return [
    instruction.trim(),
    '',
    `Work only in the main terminal ${terminalId}${further.join('')}. Use agentpty's tools (${tools}). What runs there is in ${place}. Use no other shell, open no other terminal, and leave these open when you are done.`,
  ].join('\n')
}

const tools = [verbs.send, verbs.sendKeys, verbs.read, verbs.screenshot, verbs.wait].map(({ tool }) => tool).join(', ')

async function finished(client: Client, terminalId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { agents } = await client.call(
      'awaitAgents',
      { terminalIds: [terminalId], waitTimeoutMs: agentWaitMs },
      { signal },
    )
    const [agent] = agents
    if (agent?.outcome === 'finished' || agent?.outcome === 'gone' || agent?.state === 'exited') return
  }
}

async function usedBy(client: Client, terminalId: string): Promise<AgentContext | null> {
  const { agents } = await client.call('agents', {})
  const usage = agents.find((agent) => agent.terminalId === terminalId)?.usage
  if (usage === undefined) return null
  const { input, output, cached, costUsd } = usage
  return agentContext({
    n_input_tokens: input,
    n_output_tokens: output,
    n_cache_tokens: cached,
    cost_usd: costUsd,
    metadata: { models: usage.models },
  })
}

/** A person may have closed it. */
type Item = VerbOutput<'timeline'>['items'][number]
type Typed = Extract<Item, { readonly kind: 'typed' }>

/** The most entries in one response of the timeline, whose newest come first. */
const itemsAtOnce = 500
/** The most pages that are read from the journal of one trial. */
const pagesMax = 40

/** Notes the input in the order in which it was typed. Errors: `session_not_found`. */
async function noteJournal(
  client: Client,
  { terminalId, terminals: further = {} }: Pick<StepInfo, 'terminalId' | 'terminals'>,
  note: (step: TypedStep) => void,
): Promise<void> {
  const named = Object.entries(further).map(([terminal, id]) => stepsIn(client, id, { terminal }))
  const steps = (await Promise.all([stepsIn(client, terminalId, {}), ...named])).flat()
  for (const step of steps.toSorted((one, other) => one.at - other.at)) note(step)
}

/** The input typed into the terminals of a trial, read from their timelines, as steps. Each step has the output up to the next one. */
async function stepsIn(client: Client, terminalId: string, named: { readonly terminal?: string }) {
  const typed = (await itemsOf(client, terminalId)).filter(
    (item): item is Typed => item.kind === 'typed' && item.outcome === 'done',
  )
  if (typed.length === 0) return []
  const { cursor: end } = await client.call('read', { terminalId, maxBytes: 256 })
  const steps: TypedStep[] = []
  for (const [index, { at, offset: from = 0, verb, text, bytes, who }] of typed.entries()) {
    const to = typed[index + 1]?.offset ?? end
    const { output } = await client.call('read', { terminalId, since: from, until: Math.max(from, to) })
    const given = defined({ ...named, text, bytes, who })
    steps.push({ verb, arguments: given, observation: output, at, cursor: { from, to } })
  }
  return steps
}

/** The oldest first. */
async function itemsOf(client: Client, terminalId: string): Promise<readonly Item[]> {
  const pages: (readonly Item[])[] = []
  let before: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const { items, next } = await client.call('timeline', defined({ terminalId, limit: itemsAtOnce, before }))
    pages.unshift(items)
    if (next === undefined) break
    before = next
  }
  return pages.flat()
}
