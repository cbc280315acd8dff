/** Waits of termtile. They may last longer than a verb waits, so they go on until their own end. */

import { waitMsMax } from '../../contracts/limits.ts'
import type { ToolCall } from '../../contracts/mcp/toolset.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { VerbOutput } from '../../contracts/verbs/index.ts'
import { endOffset } from '../shared/raw-output.ts'
import { isIdle } from './agents.ts'
import { screenTail } from './notes.ts'

export type Turn = VerbOutput<'wait'>['terminals'][number]

/** What was waited for may still be drawn: it is looked at when nothing has come for so long, or at the latest then. */
const drawnQuietMs = 60
const drawnMsMax = 1_000

export interface IdleWait {
  readonly terminalId: string
  readonly seconds: number
  /** A dialog ends the wait: its question is for the caller. */
  readonly endsAtDialog: boolean
}

/** How it stands when it is idle, has ended, or the time is over. Errors: `session_not_found`, `cancelled`. */
export async function waitIdle(wait: IdleWait, call: ToolCall, clock: Clock): Promise<Turn | null> {
  const { terminalId, seconds, endsAtDialog } = wait
  const begun = clock.now()
  const deadline = begun + seconds * 1_000
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - clock.now()))
    const until = { waitFor: 'ready' as const, waitTimeoutMs: Math.min(left, waitMsMax) }
    const { terminals } = await call.client.call(
      'wait',
      { terminalIds: [terminalId], ...until },
      passedOn(call, begun, clock),
    )
    const [turn] = terminals
    if (turn === undefined || turn.outcome === 'exited') return turn ?? null
    const isDialog = turn.outcome === 'met' && turn.needs === 'answer'
    if (turn.outcome === 'met' && (isIdle(turn) || (isDialog && endsAtDialog))) return turn
    if (clock.now() >= deadline) return turn
    // Until somebody has answered it, its terminal does not change.
    if (isDialog) await waitOutput({ terminalId, since: turn.cursor, deadline }, call, clock)
  }
}

/** The parts of a wait report how long the whole has lasted. */
function passedOn({ signal, progress }: ToolCall, begun: number, clock: Clock) {
  if (progress === undefined) return { signal }
  const before = clock.now() - begun
  return { signal, progress: (waitedMs: number, totalMs: number) => progress(before + waitedMs, before + totalMs) }
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

/** Looks at the last lines until the text is in them. What stands there already counts. */
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
