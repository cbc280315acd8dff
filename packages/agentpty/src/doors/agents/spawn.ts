/** `spawn_agent`: an agent at once, or one that waits for others. */

import { markedText } from '../../contracts/agents/marked-text.ts'
import { defined } from '../../contracts/defined.ts'
import { isTermError, TermError } from '../../contracts/errors.ts'
import { waitMsMax } from '../../contracts/limits.ts'
import type { JsonObject } from '../../contracts/wire/json-lines.ts'
import { findAllAgents, freeSlot, sessionNameOf, untracked, workspaceOf } from '../parts/agents/agents.ts'
import { answersOf, dependsSeconds } from '../parts/agents/depend-on.ts'
import { type Opened, type Opening, openAgent } from '../parts/agents/open-agent.ts'
import { durationText, fillTemplates } from '../parts/agents/text.ts'
import type { CallOfAgents } from './call.ts'
import type { AgentsInput } from './contract.ts'
import { type Everyone, everyAgent, type Found, find, type Ref } from './find.ts'
import type { QueuedAgent } from './queued-agents.ts'
import { startedWithin } from './started.ts'

type SpawnInput = AgentsInput<'spawn_agent'>

/** What another depends on, and the names by which its task may call it. */
interface Dependency {
  readonly found: Found
  readonly names: readonly string[]
}

export async function spawnAgent(input: SpawnInput, call: CallOfAgents): Promise<JsonObject> {
  const all = await everyAgent(call)
  const workspace = workspaceOf('spawn_agent', input, [...all.agents, ...all.queued])
  const asked = [...new Set(input.depends_on ?? [])]
  const dependencies = asked.map((ref) => dependency(ref, { workspace, name: input.name ?? null }, all))
  assertFilled(input.task ?? '', dependencies)
  if (dependencies.length === 0)
    return shown(await openAgent(openingOf(input, workspace, input.task ?? ''), call), input)
  const queued = enqueue(input, workspace, { dependencies, all, call })
  const waited = input.queue === true ? 0 : Math.min(call.waitMsMax ?? waitMsMax, waitMsMax)
  const terminalId = await startedWithin(queued.started, waited, call)
  const { name, slot, waitsFor } = queued
  if (terminalId !== null) return defined({ id: terminalId, name, slot: slot ?? undefined, state: 'started' })
  return defined({ id: name, slot: slot ?? undefined, state: 'queued', waits_for: waitsFor })
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
  { agent_type: type, name, window, cwd, model }: SpawnInput,
  workspace: string,
  task: string,
): Opening {
  const place = name === undefined ? { workspace } : { name }
  const throughShell = window === undefined ? null : window ? 'always' : 'never'
  return { type, place, throughShell, cwd: cwd ?? null, model: model ?? null, task }
}

interface Enqueued {
  readonly dependencies: readonly Dependency[]
  readonly all: Everyone
  readonly call: CallOfAgents
}

function enqueue(input: SpawnInput, workspace: string, { dependencies, all, call }: Enqueued): QueuedAgent {
  const slot = input.name === undefined ? freeSlot([...all.agents, ...all.queued], workspace) : null
  const name = input.name ?? sessionNameOf(workspace, slot ?? 0)
  const waitsFor = dependencies.map(({ found }) =>
    found.kind === 'agent' ? found.agent.sessionName : found.queued.name,
  )
  const entry = { name, slot, workspace: slot === null ? null : workspace, type: input.agent_type, waitsFor }
  return call.queue.add({ ...entry, caller: call.caller }, async (signal) => {
    // It outlives the call by which it was queued.
    const own = { ...call, signal, progress: undefined }
    const outputs = await outputsOf(
      dependencies,
      dependsSeconds(input.depends_on_timeout),
      defined(own) as CallOfAgents,
    )
    const task = fillTemplates(input.task ?? '', (named) => {
      const output = outputs.get(named)
      return output === undefined ? undefined : markedText(output, `the answer of ${named}`)
    })
    const opening = { ...openingOf(input, workspace, task), place: { name } }
    return (await openAgent(opening, { client: call.client, signal })).terminalId
  })
}

/** By the names of templates. Errors: `invalid_input`, in termtile’s words. */
async function outputsOf(
  dependencies: readonly Dependency[],
  seconds: number,
  call: CallOfAgents,
): Promise<ReadonlyMap<string, string>> {
  const begun = call.clock.now()
  const ids = await Promise.all(dependencies.map(({ found }) => terminalOf(found, seconds, call)))
  const agents = await findAllAgents(call.client)
  const found = ids.map((id, at) => {
    const agent = agents.find(({ terminalId }) => terminalId === id)
    if (agent !== undefined) return agent
    throw new TermError('invalid_input', `dependency ${dependencies[at]?.names[0] ?? id} is not alive (killed)`, '')
  })
  const left = Math.max(0, seconds - (call.clock.now() - begun) / 1_000)
  const outputs = await answersOf(found, { seconds, left }, call)
  return new Map(dependencies.flatMap(({ names }, at) => names.map((name) => [name, outputs[at] ?? ''] as const)))
}

async function terminalOf(found: Found, seconds: number, call: CallOfAgents): Promise<string> {
  if (found.kind === 'agent') return found.agent.terminalId
  const { name } = found.queued
  const started = await startedWithin(found.queued.started, seconds * 1_000, call).catch((error: unknown) => {
    if (!isTermError(error)) throw error
    const how = error.code === 'cancelled' ? 'killed' : error.message
    throw new TermError('invalid_input', `dependency agent (target ${name}) is not alive (${how})`, error.hint)
  })
  if (started !== null) return started
  const what = `timeout waiting for dependency agents [${name}] to become idle after ${durationText(seconds)}`
  throw new TermError('invalid_input', what, 'list_agents shows what it waits for.')
}

/** Errors: `invalid_input`, `session_not_found`. */
function dependency(
  ref: Ref,
  { workspace, name }: { readonly workspace: string; readonly name: string | null },
  all: Everyone,
): Dependency {
  if (ref === name) throw new TermError('invalid_input', `dependency cycle: ${name} depends on itself`, '')
  if (typeof ref === 'number' && ref < 0)
    throw new TermError('invalid_input', `depends_on contains negative slot ${ref}`, '')
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
    throw new TermError('invalid_input', `{{${name}.output}} is the answer of no dependency.`, hint)
  })
}
