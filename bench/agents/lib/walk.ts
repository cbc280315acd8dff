/**
 * Walks an agent CLI through its states, and records when each was true. The truth comes from the scripted
 * model's log and from the screen; agentpty's verdict is only recorded.
 */

import { existsSync } from 'node:fs'
import type { Dialog } from '../clients/client.ts'
import type { Agent } from './agent.ts'
import { failedRow, judge, type Phase, type Row, type Want, wants } from './judge.ts'
import { holds, prompts } from './scripted-prompts.ts'
import { now, poll, sleep } from './time.ts'

/** The longest delay of a verdict after the truth. */
const limits = { startMs: 5_000, turnMs: 1_500, dialogMs: 1_500, exitMs: 1_000 }

/** The duration of a state, and for how long its verdict must stay. */
const heldMs = 3_000
const watchedMs = 2_500

class NotReached extends Error {}

interface Walk {
  readonly agent: Agent
  readonly phases: Phase[]
  readonly waits: Row[]
}

export async function walkThrough(agent: Agent): Promise<readonly Row[]> {
  const walk: Walk = { agent, phases: [], waits: [] }
  const failures: Row[] = []
  for (const [name, step] of steps) {
    try {
      await step(walk)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const lines = (await agent.screen()).split('\n').filter((line) => line.trim() !== '')
      failures.push(failedRow(name, '', `${error.message}: ${lines.slice(-3).join(' / ')}`))
      agent.mark(`failed ${name}`)
      break
    }
  }
  const { samples } = agent.sampler
  return [...walk.phases.map((phase) => judge(phase, samples)), ...walk.waits, ...failures]
}

const steps: readonly (readonly [string, (walk: Walk) => Promise<void>])[] = [
  ['start', start],
  ['first turn', firstTurn],
  ['silent turn', silentTurn],
  ['streaming turn', streamingTurn],
  ['permission', permission],
  ['question', question],
  ['interrupt', interrupt],
  ['exit', exit],
]

async function start(walk: Walk): Promise<void> {
  const { agent } = walk
  const { firstQuestion, started } = agent.client
  if (firstQuestion !== undefined) {
    const asked = await need(agent.screenShows(firstQuestion.shows, 60_000), 'its first question never came')
    await watch(walk, 'first question', wants.blocked, { from: asked, withinMs: limits.dialogMs })
    await agent.press(...firstQuestion.answer)
  }
  const ready = await need(agent.screenShows(started, 90_000), 'it never started')
  await sleep(limits.startMs)
  await watch(walk, 'started', wants.idle, { from: ready, withinMs: limits.startMs })
}

async function firstTurn(walk: Walk): Promise<void> {
  await runTurn(walk, 'first', prompts.hello, async () => {})
}

async function silentTurn(walk: Walk): Promise<void> {
  await runTurn(walk, 'silent', prompts.silent, async (walk) => {
    await sleep(heldMs)
    walk.agent.model.release(holds.silent)
  })
}

async function streamingTurn(walk: Walk): Promise<void> {
  await runTurn(walk, 'streaming', prompts.streaming, async () => {})
}

/** A turn of one answer: busy from Enter to its last byte, then idle. */
async function runTurn(walk: Walk, name: string, prompt: string, during: (walk: Walk) => Promise<void>): Promise<void> {
  const { agent } = walk
  const typed = await agent.type(prompt)
  const returned = waitReady(agent)
  await need(requested(agent, typed), `the prompt "${prompt}" never reached the model`)
  await during(walk)
  const done = await need(agent.modelSays(typed, { ev: 'done', final: true }), 'the model never finished')
  walk.phases.push({ name: `working, ${name}`, want: wants.working, from: typed, to: done.t, withinMs: 0 })
  await watch(walk, `done, ${name}`, wants.idle, { from: done.t, withinMs: limits.turnMs })
  judgeWait(walk, `wait, ${name}`, done.t, await returned)
}

async function permission(walk: Walk): Promise<void> {
  await runDialog(walk, 'permission', prompts.ask, walk.agent.client.permission)
}

async function question(walk: Walk): Promise<void> {
  const dialog = walk.agent.client.question
  if (dialog !== undefined) await runDialog(walk, 'question', prompts.question, dialog)
}

/** A turn whose tool asks something: blocked until answered, then busy again, then idle. */
async function runDialog(walk: Walk, name: string, prompt: string, { shows, answer }: Dialog): Promise<void> {
  const { agent } = walk
  const typed = await agent.type(prompt)
  const returned = waitReady(agent)
  const called = await need(agent.modelSays(typed, { ev: 'respond', what: 'tool' }), 'the tool was never called')
  walk.phases.push({ name: `working, ${name}`, want: wants.working, from: typed, to: called.t, withinMs: 0 })
  const shown = await need(agent.screenShows(shows, 20_000), 'its dialog never came')
  await watch(walk, name, wants.blocked, { from: shown, withinMs: limits.dialogMs })
  judgeWait(walk, `wait, ${name}`, called.t, await returned)
  const answered = await agent.press(...answer)
  await need(agent.modelSays(answered, { ev: 'request', kind: 'main' }), 'the answer did not let it go on')
  await sleep(heldMs / 2)
  const released = now()
  agent.model.release(holds.afterTool)
  walk.phases.push({ name: `working, ${name} over`, want: wants.working, from: answered, to: released, withinMs: 0 })
  const done = await need(agent.modelSays(released, { ev: 'done', final: true }), 'the model never finished')
  await watch(walk, `done, ${name}`, wants.idle, { from: done.t, withinMs: limits.turnMs })
}

async function interrupt(walk: Walk): Promise<void> {
  const { agent } = walk
  const { interrupt: keys, clearInput } = agent.client
  const typed = await agent.type(prompts.interrupted)
  await need(requested(agent, typed), 'the prompt never reached the model')
  await sleep(heldMs / 2)
  walk.phases.push({ name: 'working, to stop', want: wants.working, from: typed, to: now(), withinMs: 0 })
  await agent.press(...keys)
  const stopped = await need(agent.modelSays(typed, { ev: 'client-closed' }, 5_000), 'it was not interrupted')
  await watch(walk, 'interrupted', wants.idle, { from: stopped.t, withinMs: limits.turnMs })
  if (clearInput !== undefined) await agent.press(clearInput)
}

async function exit(walk: Walk): Promise<void> {
  const { agent } = walk
  await agent.press(...agent.client.quit)
  const isGone = () => (existsSync(`/proc/${agent.pid}`) ? null : now())
  const gone = await need(poll(isGone, 10_000), 'it did not end')
  await watch(walk, 'exited', wants.exited, { from: gone, withinMs: limits.exitMs })
}

/** Samples for a while in a state that should not change. */
async function watch(
  { agent, phases }: Walk,
  name: string,
  want: Want,
  { from, withinMs }: { readonly from: number; readonly withinMs: number },
): Promise<void> {
  agent.mark(name)
  await sleep(Math.max(0, from + watchedMs - now()))
  phases.push({ name, want, from, to: now(), withinMs })
}

const requested = (agent: Agent, since: number) => agent.modelSays(since - 50, { ev: 'request', kind: 'main' })

/** The time at which a caller that waits for its turn gets it; null on a timeout. */
async function waitReady({ engine, terminalId }: Agent): Promise<number | null> {
  const waiting = engine.client.call('wait', { terminalIds: [terminalId], waitFor: 'ready', waitTimeoutMs: 20_000 })
  return waiting.then(
    ({ terminals }) => (terminals[0]?.outcome === 'met' ? now() : null),
    // The engine is closed after a failed step, and the result is then unused.
    () => null,
  )
}

/** A wait that returns before the truth is worse than a late one: the caller would continue too early. */
function judgeWait({ waits }: Walk, phase: string, from: number, returned: number | null): void {
  const afterMs = returned === null ? null : Math.round(returned - from)
  const clockGrainMs = 5
  waits.push({
    ...failedRow(phase, 'returns afterwards', ''),
    got: afterMs === null ? 'no return' : afterMs < -clockGrainMs ? 'returned too early' : 'returned',
    afterMs,
    samples: 1,
    ok: afterMs !== null && afterMs >= -clockGrainMs && afterMs <= limits.turnMs,
  })
}

async function need<T>(found: Promise<T | null>, otherwise: string): Promise<T> {
  const value = await found
  if (value === null) throw new NotReached(otherwise)
  return value
}
