/** An instruction is typed when an agent can take it, and at no other time: a dialog would take it for an answer. */

import { inputBoxOf } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { type Clock, type Millis, TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { Kind, Verdict } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'
import { waitFor } from './wait-in-call.ts'

/** Kinds of programs that draw: one may be an agent that is still starting and would lose an instruction. */
const drawingKinds: ReadonlySet<Kind | null> = new Set<Kind>(['tui', 'key', 'pager', 'other'])
/** An agent draws its start in parts: its box, then a question whether its folder is trusted. */
const drawnMs = 600
/** A program that has drawn and been still for this many ms is no longer expected to show itself as an agent. */
const startingMs = 3_000
/** Agents that have taken an instruction: they have started. */
const started = new WeakSet<Session>()

export function hasTakenInstruction(session: Session): boolean {
  return started.has(session)
}

export function noteTaken(session: Session): void {
  started.add(session)
}

/** Waits at most `timeoutMs` for the agent to be idle. Errors: `needs_answer`, `agent_busy`. */
export async function assertInstructable(
  { clock }: Pick<EngineContext, 'clock'>,
  session: Session,
  timeoutMs: Millis,
  context: CallContext,
): Promise<void> {
  const since = session.parsedTo
  const deadline = clock.now() + timeoutMs
  const release = session.watch()
  try {
    await waitFor(clock, session, { conditions: [{ kind: 'ready', confidence: 'low' }], since, timeoutMs }, context)
    if (!started.has(session)) await startUp(clock, session, deadline)
  } finally {
    release()
  }
  const { verdict } = session.turn()
  const { id } = session.info
  if (verdict.needs === 'answer') {
    throw new TermError(
      'needs_answer',
      `${id} shows a dialog${verdict.question === null ? '' : `: ${verdict.question}`}`,
      'Look with terminal_screenshot and answer it with terminal_send_keys, then instruct again. Nothing was typed.',
    )
  }
  if (verdict.state === 'ready') return
  throw new TermError(
    'agent_busy',
    `${id} is still at work: ${verdict.evidence[0] ?? ''}.`,
    'Wait for it with terminal_wait, or interrupt it with the escape key. Nothing was typed.',
  )
}

/** Waits until the program is known and drawn, or waits blank for a while: some restart, busy and blank, once a folder is trusted. */
async function startUp(clock: Clock, session: Session, deadline: Millis): Promise<void> {
  let { parsedTo } = session
  let drawnAt = clock.now()
  while (clock.now() < deadline) {
    const { verdict, recheckAt } = session.turn()
    if (verdict.state === 'exited') return
    const stillMs = clock.now() - drawnAt
    const isReady = verdict.state === 'ready'
    const mayBeUp = isReady && stillMs >= drawnMs
    if (mayBeUp && ((await isUp(session, verdict)) || (stillMs >= startingMs && (await hasDrawn(session))))) return
    const until = isReady && stillMs < startingMs ? drawnAt + (stillMs < drawnMs ? drawnMs : startingMs) : deadline
    await session.program.nextFacts(Math.min(until, deadline, recheckAt ?? Number.POSITIVE_INFINITY))
    if (session.parsedTo !== parsedTo) drawnAt = clock.now()
    parsedTo = session.parsedTo
  }
}

/** A program with a screen of its own that is blank has not come to it yet. */
async function hasDrawn(session: Session): Promise<boolean> {
  return (await session.screen()).picture().text.some((row) => row.trim() !== '')
}

/** Some agents set a title that says they are idle before they take any input: what is typed then stays in their input box. */
async function isUp(session: Session, { kind, confidence }: Pick<Verdict, 'kind' | 'confidence'>): Promise<boolean> {
  if (drawingKinds.has(kind)) return false
  if (kind !== 'agent' || confidence === 'certain') return true
  return inputBoxOf((await session.screen()).picture()) !== null
}
