/** Starts an agent that was queued, here or by an earlier server, once those that it waits for have finished. */

import { isTermError, resultBefore, TermError } from '@agentpty/protocol'
import { type KeptDependency, type KeptQueuedAgent, markedText } from '@agentpty/protocol/agents'
import { type AnyAgent, findAllAgents } from '../parts/agents/agents.ts'
import { answersOf } from '../parts/agents/depend-on.ts'
import { openAgent } from '../parts/agents/open-agent.ts'
import type { Begin } from '../parts/agents/queued-agents.ts'
import { durationText, fillTemplates } from '../parts/agents/text.ts'
import { aside } from '../parts/aside.ts'
import type { CallOfAgents } from './call.ts'

/** How long (ms) it is waited for output where something is in the way of a task. */
const againMs = 2_000

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
 * The terminal that an earlier server has opened for it; null when it has not. A task is kept before the first of its bytes is typed, so
 * that it is given now where none is. Errors: `not_submitted` where nobody can say.
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
      const output = { terminalIds: [terminalId], waitFor: 'output' as const, waitTimeoutMs: againMs }
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

/** One that was queued has its terminal under the same name. */
function agentAt(target: string, agents: readonly AnyAgent[]): AnyAgent | undefined {
  return agents.find(({ terminalId, sessionName }) => terminalId === target || sessionName === target)
}

/** Errors: always. */
function lost(name: string): never {
  throw new TermError('invalid_input', `dependency agent (target ${name}) is not alive (killed)`, '')
}

async function terminalOf({ target }: KeptDependency, kept: KeptQueuedAgent, call: CallOfAgents): Promise<string> {
  const queued = call.queue.find(target)
  if (queued === undefined) return target
  const { clock, signal } = call
  const latest = clock.now() + leftMs(kept, call)
  const started = await resultBefore(queued.started, { clock, latest, signal }).catch((error: unknown) => {
    if (!isTermError(error)) throw error
    const how = error.code === 'cancelled' ? 'killed' : error.message
    throw new TermError('invalid_input', `dependency agent (target ${target}) is not alive (${how})`, error.hint)
  })
  if (started !== null) return started
  const what = `timeout waiting for dependency agents [${target}] to become idle after ${durationText(kept.seconds)}`
  throw new TermError('invalid_input', what, 'list_agents shows what it waits for.')
}

function leftMs({ until }: KeptQueuedAgent, { clock }: CallOfAgents): number {
  return Math.max(0, until - clock.wall())
}
