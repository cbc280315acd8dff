/**
 * `wait_for_idle` and `wait_any`. They return before the client's own limit and can be asked again: the answer depends on how the agents
 * stand and not on when it is asked. One that has ended by an error or a signal is never done.
 */

import { defined, resultBefore, TermError, waitMsMax } from '@agentpty/protocol'
import type { AwaitedAgent } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { artifactOf, noteOn } from '../parts/agents/artifacts.ts'
import { linesMax, linesOf } from '../parts/agents/read-lines.ts'
import { screenTail, waitForAgents } from '../parts/agents/waits.ts'
import type { AgentsInput } from './contract.ts'
import { type CallOfAgents, readDialog, stateOf, type Turn } from './dialog.ts'
import { type Everyone, everyAgent, type Found, find, findOne, type Ref } from './find.ts'

const secondsDefault = 120
/** Rows of the screen of a working agent. */
const linesDefault = 10

export async function waitForIdle(input: AgentsInput<'wait_for_idle'>, call: CallOfAgents): Promise<JsonObject> {
  const deadline = call.clock.now() + waitMs(input.timeout, call)
  const found = unlessStarting(await findOne('wait_for_idle', input, call), call)
  const id = await running(found, deadline, call)
  if (id === null) return { id: nameOf(found), state: 'queued', is_idle: false, note: againNote }
  const [seen] = await awaited([id], 'all', deadline, call)
  if (seen === undefined || seen.outcome === 'gone')
    return { id, state: 'gone', is_idle: false, output: '', note: `Its terminal was ${seen?.why ?? 'closed'}.` }
  const state = stateOf(seen)
  const lines = linesOf(input.lines ?? (state === 'working' ? linesDefault : linesMax))
  return defined({
    id,
    state,
    is_idle: state === 'idle',
    ...(await outputOf(id, { state, lines }, call)),
    ...(state === 'asks' ? await readDialog(id, seen.question, call) : {}),
    exit_code: state === 'ended' ? seen.exitCode : undefined,
    signal: seen.signal,
  })
}

const againNote = 'Not yet: call again.'

export async function waitAny(input: AgentsInput<'wait_any'>, call: CallOfAgents): Promise<JsonObject> {
  const deadline = call.clock.now() + waitMs(input.timeout, call)
  for (;;) {
    const all = await everyAgent(call)
    const named = input.ids.map((ref) => unlessStarting(namedIn(ref, input.workspace, all), call))
    const turns = await firstOf(named, deadline, call)
    if (turns !== null) return { agents: named.map((found) => shownOf(found, turns)) }
  }
}

/** The turns once one of them is done, has failed, or the time is over; null when one was started, which is to be waited for too. */
async function firstOf(
  named: readonly Found[],
  deadline: number,
  call: CallOfAgents,
): Promise<readonly AwaitedAgent[] | null> {
  const ids = named.flatMap((found) => (found.kind === 'agent' ? [found.agent.terminalId] : []))
  const queued = named.flatMap((found) => (found.kind === 'queued' ? [found.queued] : []))
  if (queued.length === 0) return awaited(ids, 'any', deadline, call)
  if (queued.some(({ failure }) => failure !== null)) return awaited(ids, 'any', 0, call)
  const over = new AbortController()
  const own = { ...call, signal: AbortSignal.any([over.signal, call.signal]) }
  const starts = queued.map(async ({ started }) => {
    // The reason why an agent was not started is reported with its state.
    const terminalId = await resultBefore(started, { clock: own.clock, latest: deadline, signal: own.signal }).catch(
      () => '',
    )
    return terminalId === null ? awaited(ids, 'any', 0, call) : null
  })
  const running = ids.length === 0 ? [] : [awaited(ids, 'any', deadline, own)]
  try {
    return await Promise.race([...running, ...starts])
  } finally {
    over.abort()
    await Promise.allSettled([...running, ...starts])
  }
}

/** One whose terminal is open and that has not got its task yet would look as if it had finished. */
function unlessStarting(found: Found, { queue }: CallOfAgents): Found {
  const queued = found.kind === 'agent' ? queue.find(found.agent.sessionName) : undefined
  return queued === undefined || queued.failure !== null ? found : { kind: 'queued', queued }
}

function namedIn(ref: Ref, workspace: string | undefined, all: Everyone): Found {
  const found = find(ref, 'wait_any', workspace, all)
  if (found !== null) return found
  throw new TermError('session_not_found', `No agent "${ref}".`, 'list_agents shows all there are.')
}

function shownOf(found: Found, seen: readonly AwaitedAgent[]): JsonObject {
  if (found.kind === 'queued') {
    const { name, failure } = found.queued
    return defined({ id: name, state: failure === null ? 'queued' : 'failed', error: failure?.message })
  }
  const { terminalId } = found.agent
  const turn = seen.find((one) => one.terminalId === terminalId)
  if (turn?.outcome === 'gone') return defined({ id: terminalId, state: 'gone', note: turn.why })
  const now: Turn = turn?.state === undefined ? found.agent.terminal : turn
  const state = stateOf(now)
  return defined({
    id: terminalId,
    state,
    question: state === 'asks' ? now.question : undefined,
    exit_code: state === 'ended' ? now.exitCode : undefined,
    signal: now.signal,
  })
}

async function awaited(
  terminalIds: readonly string[],
  until: 'all' | 'any',
  deadline: number,
  call: CallOfAgents,
): Promise<readonly AwaitedAgent[]> {
  if (terminalIds.length === 0) return []
  const seconds = Math.max(0, deadline - call.clock.now()) / 1_000
  return waitForAgents({ terminalIds: [...terminalIds], until, atDialog: 'end', seconds }, call)
}

/** Its terminal, once it is started; null when the time is over first. Errors: why it was not started. */
async function running(found: Found, deadline: number, call: CallOfAgents): Promise<string | null> {
  if (found.kind === 'agent') return found.agent.terminalId
  if (found.queued.failure !== null) throw found.queued.failure
  return resultBefore(found.queued.started, { clock: call.clock, latest: deadline, signal: call.signal })
}

const nameOf = (found: Found) => (found.kind === 'agent' ? found.agent.terminalId : found.queued.name)

/** No call lasts longer than its client waits. */
function waitMs(seconds: number | undefined, { waitMsMax: own }: CallOfAgents): number {
  return Math.min(Math.max(0, seconds ?? secondsDefault) * 1_000, own ?? waitMsMax)
}

async function outputOf(
  terminalId: string,
  { state, lines }: { readonly state: string; readonly lines: number },
  call: CallOfAgents,
): Promise<{ readonly output: string; readonly note?: string | undefined }> {
  if (state === 'asks') return { output: '' }
  if (state === 'working')
    return { output: (await screenTail(call.client, terminalId, lines)).join('\n'), note: againNote }
  const artifact = await artifactOf({ terminalId, capture: 'answer', lines }, call)
  return { output: artifact?.output ?? '', note: noteOn(artifact) }
}
