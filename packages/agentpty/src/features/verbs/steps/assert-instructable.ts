/** An instruction is typed when an agent can take it, and at no other time: a dialog would take it for an answer. */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { Kind, Verdict } from '../../../contracts/session/verdict.ts'
import type { Millis } from '../../../contracts/units.ts'
import { inputBoxOf } from '../../../engine/screen/input-box.ts'
import type { Session } from '../../../engine/session/session.ts'
import type { EngineContext } from './engine-context.ts'
import { waitFor } from './wait-in-call.ts'

/** Kinds of programs that draw: one may be an agent that is still starting and would lose an instruction. */
const drawingKinds: ReadonlySet<Kind | null> = new Set<Kind>(['tui', 'key', 'pager', 'other'])
/** A program that has drawn and been still for this many ms is no longer expected to show itself as an agent. */
const startingMs = 3_000
/** Agents that have taken an instruction: they have started. */
const started = new WeakSet<Session>()

/** Waits at most `timeoutMs` for the agent to be idle. Errors: `needs_answer`, `agent_busy`. */
export async function assertInstructable(
  { clock }: EngineContext,
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
  if (verdict.state === 'ready') {
    started.add(session)
    return
  }
  throw new TermError(
    'agent_busy',
    `${id} is still at work: ${verdict.evidence[0] ?? ''}.`,
    'Wait for it with terminal_wait, or interrupt it with the escape key. Nothing was typed.',
  )
}

/** Waits until it is known what the program is, or until it has drawn nothing for a while. */
async function startUp(clock: Clock, session: Session, deadline: Millis): Promise<void> {
  let { parsedTo } = session
  let until = clock.now() + startingMs
  while (clock.now() < Math.min(until, deadline)) {
    const { verdict, recheckAt } = session.turn()
    if (verdict.state === 'exited' || (verdict.state === 'ready' && (await isUp(session, verdict)))) return
    await session.program.nextFacts(Math.min(until, deadline, recheckAt ?? Number.POSITIVE_INFINITY))
    if (session.parsedTo !== parsedTo) until = clock.now() + startingMs
    parsedTo = session.parsedTo
  }
}

/** Some agents set a title that says they are idle before they take any input: what is typed then stays in their input box. */
async function isUp(session: Session, { kind, confidence }: Pick<Verdict, 'kind' | 'confidence'>): Promise<boolean> {
  if (drawingKinds.has(kind)) return false
  if (kind !== 'agent' || confidence === 'certain') return true
  return inputBoxOf((await session.screen()).picture()) !== null
}
