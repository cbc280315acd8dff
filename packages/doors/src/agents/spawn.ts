/** `spawn_agent`: starts an agent immediately, or queues one that waits for others. */

import { defined, invalidInput, isTermError, resultBefore, TermError, waitMsMax } from '@agentpty/protocol'
import { type KeptDependency, type KeptQueuedAgent, markedText, slotName } from '@agentpty/protocol/agents'
import { TerminalName } from '@agentpty/protocol/call'
import type { JsonObject } from '@agentpty/protocol/wire'
import { type AnyAgent, findAgents, findAllAgents, freeSlot, untracked, workspaceOf } from '../parts/agents/agents.ts'
import { answersOf, dependsSeconds } from '../parts/agents/depend-on.ts'
import { type Opened, type Opening, openAgent } from '../parts/agents/open-agent.ts'
import { type Begin, type QueuedAgent, waitsFor } from '../parts/agents/queued-agents.ts'
import { durationText, fillTemplates } from '../parts/agents/text.ts'
import { aside } from '../parts/aside.ts'
import type { AgentsInput } from './contract.ts'
import type { CallOfAgents } from './dialog.ts'
import { type Everyone, everyAgent, type Found, find, type Ref } from './find.ts'

type SpawnInput = AgentsInput<'spawn_agent'>

/** An agent that another one depends on, and the names by which the task may call its answer. */
interface Dependency {
  readonly found: Found
  readonly names: readonly string[]
}

export async function spawnAgent(given: SpawnInput, call: CallOfAgents): Promise<JsonObject> {
  const input = { ...given, agent_type: typeOf(given) }
  const all = await everyAgent(call)
  const workspace = workspaceOf('spawn_agent', input, [...all.agents, ...all.queued])
  const refs = [...new Set(input.depends_on ?? [])]
  const dependencies = refs.map((ref) => dependency(ref, { workspace, name: input.name ?? null }, all))
  assertFilled(input.task ?? '', dependencies)
  if (dependencies.length === 0)
    return shown(await openAgent(openingOf(input, workspace, input.task ?? ''), call), input)
  const queued = await enqueue(input, workspace, { dependencies, call })
  const waited = input.queue === true ? 0 : Math.min(call.waitMsMax ?? waitMsMax, waitMsMax)
  const terminalId = await resultBefore(queued.started, {
    clock: call.clock,
    latest: call.clock.now() + waited,
    signal: call.signal,
  })
  const { name, slot } = queued
  if (terminalId !== null) return defined({ id: terminalId, name, slot: slot ?? undefined, state: 'started' })
  return defined({ id: name, slot: slot ?? undefined, state: 'queued', waits_for: waitsFor(queued) })
}

type TypedInput = SpawnInput & { readonly agent_type: string }

/** Errors: `invalid_input`. */
function typeOf({ agent_type: named, type = named }: SpawnInput): string {
  if (type === undefined) throw invalidInput('agent_type is required', '')
  return named ?? type
}

function shown({ terminalId, name, slot, spawned }: Opened, { task = '' }: SpawnInput): JsonObject {
  const { notInstructed } = spawned
  const note = notInstructed === null ? undefined : `The task was not typed: ${notInstructed}`
  return defined({
    id: terminalId,
    name,
    slot: slot ?? undefined,
    state: task === '' || notInstructed !== null ? 'started' : 'working',
    note,
  })
}

function openingOf(
  { agent_type: type, name, window, cwd, model }: TypedInput,
  workspace: string,
  task: string,
): Opening {
  const place = name === undefined ? { workspace } : { name }
  const throughShell = window === undefined ? null : window ? 'always' : 'never'
  return { type, place, throughShell, cwd: cwd ?? null, model: model ?? null, task }
}

async function enqueue(
  input: TypedInput,
  workspace: string,
  { dependencies, call }: { readonly dependencies: readonly Dependency[]; readonly call: CallOfAgents },
): Promise<QueuedAgent> {
  const { slot, name, release } = await reserve(input, workspace, call)
  const { type, throughShell, cwd, model, task } = openingOf(input, workspace, input.task ?? '')
  const seconds = dependsSeconds(input.depends_on_timeout)
  const queuedAt = call.clock.wall()
  const entry: KeptQueuedAgent = {
    name,
    slot,
    workspace: slot === null ? null : workspace,
    type,
    model,
    cwd,
    throughShell,
    task,
    dependencies: dependencies.map(({ found, names }) => ({ ...targetOf(found), names: [...names] })),
    seconds,
    queuedAt,
    until: queuedAt + seconds * 1_000,
    origin: call.origin,
    state: 'waiting',
    failure: null,
  }
  // It outlives the call by which it was queued.
  const { progress: _, ...own } = call
  release()
  return call.queue.add(entry, (kept, { signal, begins }) => startQueued(kept, { ...own, signal, begins }))
}

/** Errors: `name_taken`, `invalid_input`. */
async function reserve(input: SpawnInput, workspace: string, call: CallOfAgents) {
  const { queue, client } = call
  const { isReserved } = queue
  if (input.name !== undefined) {
    const name = parsedName(input.name)
    return { slot: null, name, release: queue.hold(name) }
  }
  for (let from = 0; ; ) {
    const slot = freeSlot(await findAgents(aside(client)), { workspace, from, isReserved })
    const name = slotName(workspace, slot)
    const release = queue.hold(name)
    // Another call may have opened its terminal since the slot was found free.
    const agents = await findAgents(aside(client)).catch((error: unknown) => {
      release()
      throw error
    })
    if (!agents.some(({ sessionName }) => sessionName === name)) return { slot, name, release }
    release()
    from = slot + 1
  }
}

/** Errors: `invalid_input`. */
function parsedName(name: string): string {
  const parsed = TerminalName.safeParse(name)
  if (parsed.success) return parsed.data
  throw invalidInput(`"${name}" is no name: ${parsed.error.issues[0]?.message}.`, 'Choose another.')
}

function targetOf(found: Found): Pick<KeptDependency, 'target' | 'shown'> {
  if (found.kind === 'queued') return { target: found.queued.name, shown: found.queued.name }
  return { target: found.agent.terminalId, shown: found.agent.sessionName }
}

/** Errors: `invalid_input`, `session_not_found`. */
function dependency(
  ref: Ref,
  { workspace, name }: { readonly workspace: string; readonly name: string | null },
  all: Everyone,
): Dependency {
  if (ref === name) throw invalidInput(`dependency cycle: ${name} depends on itself`, '')
  if (typeof ref === 'number' && ref < 0) throw invalidInput(`depends_on contains negative slot ${ref}`, '')
  const found = find(ref, 'spawn_agent', workspace, all)
  if (found === null && typeof ref === 'number')
    throw untracked(`dependency slot ${ref} not tracked in workspace "${workspace}"`, all.agents, workspace)
  if (found === null)
    throw new TermError(
      'session_not_found',
      `dependency agent "${ref}" not tracked`,
      'list_agents shows all there are.',
    )
  if (found.kind === 'queued' && found.queued.failure !== null) throw found.queued.failure
  return { found, names: namesOf(found) }
}

function namesOf(found: Found): readonly string[] {
  const { slot } = found.kind === 'agent' ? found.agent : found.queued
  const own = found.kind === 'agent' ? [found.agent.terminalId, found.agent.sessionName] : [found.queued.name]
  return [...(slot === null ? [] : [`slot_${slot}`]), ...new Set(own)]
}

/** Errors: `invalid_input` for the answer of an agent that is not waited for. */
function assertFilled(task: string, dependencies: readonly Dependency[]): void {
  const names = dependencies.flatMap((one) => one.names)
  fillTemplates(task, (name) => {
    if (names.includes(name)) return name
    const hint = names.length === 0 ? 'Put the agent into depends_on.' : `depends_on has: ${names.join(', ')}.`
    throw invalidInput(`{{${name}.output}} is the answer of no dependency.`, hint)
  })
}

// Starts an agent that was queued, here or by an earlier server, once those that it waits for have finished.

/** How long (ms) output is waited for before a task that something blocks is typed again. */
const retryMs = 2_000

type Call = CallOfAgents & Pick<Begin, 'begins'>

/** Its terminal. Errors: why it cannot be started; a dependency in termtile’s words. */
export async function startQueued(kept: KeptQueuedAgent, call: Call): Promise<string> {
  if (kept.state === 'starting') {
    const found = await adopt(kept, call)
    if (found !== null) return found
  }
  const task = await taskOf(kept, call)
  const { type, throughShell, cwd, model, name } = kept
  call.begins()
  return (await openAgent({ type, throughShell, cwd, model, task, place: { queuedAs: name } }, call)).terminalId
}

/**
 * Returns the terminal that an earlier server opened for it, or null without one. A task is stored before its first
 * byte is typed, so an agent without one gets it now. Errors: `not_submitted` where it is not known whether it was
 * typed.
 */
async function adopt(kept: KeptQueuedAgent, call: Call): Promise<string | null> {
  const { name } = kept
  const { terminals } = await aside(call.client).call('list', {})
  const terminal = terminals.find((one) => one.name === name)
  if (terminal === undefined) return null
  const { terminalId } = terminal
  const { agents } = await aside(call.client).call('agents', {})
  const known = agents.find((one) => one.terminalId === terminalId)
  if (known === undefined)
    throw new TermError(
      'not_submitted',
      `The server ended while ${name} was started in ${terminalId}: it is not known whether it has its task.`,
      'Look at it with read_from_agent, or end it with kill_agent.',
    )
  if (kept.task !== '' && known.taskId === undefined) await instruct(terminalId, await taskOf(kept, call), call)
  return terminalId
}

const inTheWay: ReadonlySet<string> = new Set(['needs_answer', 'agent_busy', 'line_not_empty'])

/** Waits while something is in its way: a dialog, or what a person types there. */
async function instruct(terminalId: string, text: string, { client, signal }: Call): Promise<void> {
  for (;;) {
    try {
      await client.call('instruct', { terminalId, text }, { signal })
      return
    } catch (error) {
      if (!isTermError(error) || !inTheWay.has(error.code)) throw error
      const output = { terminalIds: [terminalId], waitFor: 'output' as const, waitTimeoutMs: retryMs }
      await client.call('wait', output, { signal })
    }
  }
}

async function taskOf(kept: KeptQueuedAgent, call: CallOfAgents): Promise<string> {
  const outputs = await outputsOf(kept, call)
  return fillTemplates(kept.task, (named) => {
    const output = outputs.get(named)
    return output === undefined ? undefined : markedText(output, `the answer of ${named}`)
  })
}

/** By the names of templates. Errors: `invalid_input`, in termtile’s words. */
async function outputsOf(kept: KeptQueuedAgent, call: CallOfAgents): Promise<ReadonlyMap<string, string>> {
  const { dependencies, seconds } = kept
  const targets = await Promise.all(dependencies.map((one) => terminalOf(one, kept, call)))
  const agents = await findAllAgents(call.client)
  const found = targets.map((target, at) => agentAt(target, agents) ?? lost(dependencies[at]?.shown ?? target))
  const outputs = await answersOf(found, { seconds, left: leftMs(kept, call) / 1_000 }, call)
  return new Map(dependencies.flatMap(({ names }, at) => names.map((name) => [name, outputs[at] ?? ''] as const)))
}

/** The terminal of a queued agent has the same name. */
function agentAt(target: string, agents: readonly AnyAgent[]): AnyAgent | undefined {
  return agents.find(({ terminalId, sessionName }) => terminalId === target || sessionName === target)
}

function lost(name: string): never {
  throw invalidInput(`dependency agent (target ${name}) is not alive (killed)`, '')
}

async function terminalOf({ target }: KeptDependency, kept: KeptQueuedAgent, call: CallOfAgents): Promise<string> {
  const queued = call.queue.find(target)
  if (queued === undefined) return target
  const { clock, signal } = call
  const latest = clock.now() + leftMs(kept, call)
  const started = await resultBefore(queued.started, { clock, latest, signal }).catch((error: unknown) => {
    if (!isTermError(error)) throw error
    const how = error.code === 'cancelled' ? 'killed' : error.message
    throw invalidInput(`dependency agent (target ${target}) is not alive (${how})`, error.hint)
  })
  if (started !== null) return started
  const what = `timeout waiting for dependency agents [${target}] to become idle after ${durationText(kept.seconds)}`
  throw invalidInput(what, 'list_agents shows what it waits for.')
}

function leftMs({ until }: KeptQueuedAgent, { clock }: CallOfAgents): number {
  return Math.max(0, until - clock.wall())
}
