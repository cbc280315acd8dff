/** Waits of termtile. They may last longer than a verb waits, so they go on until their own end. */

import { type Clock, defined, type ServerClient, scrollbackRows, waitMsMax } from '@agentpty/protocol'
import type { ToolCall } from '@agentpty/protocol/mcp'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { aside } from '../aside.ts'
import { endOffset } from '../raw-output.ts'
import type { Agent } from './agents.ts'

/** The screen is read once nothing was printed for the first time (ms), because the text may still be drawn; at most after the second. */
const drawnQuietMs = 60
const drawnMsMax = 1_000

type Waited = VerbOutput<'awaitAgents'>['agents']

/** Waits for agents as long as the caller asks, which may be longer than other calls may wait. Errors: `cancelled`. */
export async function waitForAgents(
  {
    seconds,
    ...wait
  }: Pick<VerbInput<'awaitAgents'>, 'terminalIds' | 'until' | 'atDialog'> & { readonly seconds: number },
  { client, signal, progress }: ToolCall,
): Promise<Waited> {
  const waitTimeoutMs = Math.max(0, Math.ceil(seconds * 1_000))
  const context = defined({ signal, progress, waitMsMax: waitTimeoutMs })
  return (await client.call('awaitAgents', { ...wait, waitTimeoutMs }, context)).agents
}

/** The same agents: those whose turn it is not are idle as well where they show their idle pattern now. */
export async function withIdlePatterns(agents: readonly Agent[], call: ToolCall): Promise<readonly Agent[]> {
  const isUnsure = ({ known, terminal }: Agent) => known !== undefined && terminal.state === 'busy'
  const terminalIds = agents.filter(isUnsure).map(({ terminalId }) => terminalId)
  if (terminalIds.length === 0) return agents
  const looking = { ...call, client: aside(call.client) }
  const seen = await waitForAgents({ terminalIds, atDialog: 'end', seconds: 0 }, looking)
  const idle = new Set(seen.filter(({ outcome }) => outcome === 'finished').map(({ terminalId }) => terminalId))
  return agents.map((agent) => (idle.has(agent.terminalId) ? { ...agent, isIdle: true } : agent))
}

interface OutputWait {
  readonly terminalId: string
  readonly since: number
  readonly deadline: number
}

async function waitOutput({ terminalId, since, deadline }: OutputWait, call: ToolCall, clock: Clock): Promise<void> {
  const left = Math.min(waitMsMax, Math.max(0, Math.ceil(deadline - clock.now())))
  const output = { waitFor: 'output' as const, waitTimeoutMs: left }
  await call.client.call('wait', { terminalIds: [terminalId], since: [since], ...output }, { signal: call.signal })
}

export interface PatternWait {
  readonly terminalId: string
  readonly pattern: string
  readonly lines: number
  readonly seconds: number
}

export interface PatternSeen {
  readonly rows: readonly string[]
  readonly found: boolean
}

/** Reads the last lines until the text is in them. A text that is there already counts. */
export async function waitPattern(wait: PatternWait, call: ToolCall, clock: Clock): Promise<PatternSeen> {
  const { client, signal } = call
  const { terminalId, pattern, lines, seconds } = wait
  const deadline = clock.now() + seconds * 1_000
  for (;;) {
    const since = await endOffset(client, terminalId)
    const rows = await screenTail(client, terminalId, lines)
    if (rows.join('\n').includes(pattern)) return { rows, found: true }
    if (clock.now() >= deadline) return { rows, found: false }
    await waitOutput({ terminalId, since, deadline }, call, clock)
    const drawn = { waitFor: [{ text: pattern }, { quietMs: drawnQuietMs }], waitTimeoutMs: drawnMsMax }
    const { terminals } = await client.call('wait', { terminalIds: [terminalId], since: [since], ...drawn }, { signal })
    if (terminals[0]?.state === 'exited') {
      const last = await screenTail(client, terminalId, lines)
      return { rows: last, found: last.join('\n').includes(pattern) }
    }
  }
}

/** The last `lines` rows of the scrollback and the screen. */
export async function screenTail(client: ServerClient, terminalId: string, lines: number): Promise<readonly string[]> {
  const request = { terminalId, lines: Math.min(lines, scrollbackRows) }
  const { screen } = await client.call('screenshot', request, { keepsBlanks: true })
  return screen === '' ? [] : screen.split('\n').slice(-lines)
}
