/** One interaction: keeps the state before, writes, waits for the effect, and returns what changed. Verbs differ in writing and waiting. */

import type { ScreenPicture } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { defined, type Millis, type Offset } from '@agentpty/protocol'
import type { Condition, Ending, Observation, PermittedContext } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import { type EngineContext, secretsFor } from '../../call/index.ts'
import { unfinishedStatement } from './input-of-others.ts'
import { lookAtCut } from './mask-lines.ts'
import { observe } from './observe.ts'
import type { Budget } from './read-text.ts'
import { screenBefore } from './screen-change.ts'
import { type Typing, typeAndWait } from './type-text.ts'

/** The state of a terminal just before anything is written to it. */
interface Moment {
  readonly session: Session
  /** The end of its output. */
  readonly since: Offset
  /** The screen of a full-screen program; null without one. */
  readonly before: ScreenPicture | null
}

/** Runs `act` while the program is watched. Errors: those of `act`. */
export async function interact<Result>(session: Session, act: (moment: Moment) => Promise<Result>): Promise<Result> {
  const before = await screenBefore(session)
  const since = session.parsedTo
  const release = session.watch()
  try {
    return await act({ session, since, before })
  } finally {
    release()
  }
}

interface Effect {
  readonly ending: Ending | null
  /** The text that the caller typed: its echo is left out. */
  readonly typed?: string
  readonly budget?: Budget
  /** Notes for the caller about its input; undefined entries are left out. */
  readonly notes: readonly (string | undefined)[]
}

/** Returns the changes since the moment. */
export async function observeEffect(moment: Moment, effect: Effect): Promise<Observation> {
  const { since, before } = moment
  const { notes, ending, typed, budget } = effect
  const observation = await observe(moment.session, defined({ since, before, ending, typed, budget }))
  const note = [...notes, unfinishedStatement(observation)].filter((one) => one !== undefined).join(' ')
  return note === '' ? observation : { ...observation, note }
}

/** Text and what came of it: what `send` does for a caller, and `answer` for a person. */
export interface TypedText extends Omit<Typing, 'wait'> {
  readonly conditions: readonly Condition[]
  readonly timeoutMs: Millis
}

/** Errors: `session_exited`, `line_too_long`, `person_types`, `cancelled`, those of `check`. */
export function typeAndObserve(
  engine: EngineContext,
  session: Session,
  { conditions, timeoutMs, ...typing }: TypedText,
): Promise<Observation> {
  const { text, submit, context } = typing
  // A line editor shows a paste of several lines highlighted first, and draws it again when it is submitted.
  const echoed = session.modes.bracketedPaste && text.includes('\n') ? `${text}\n${text}` : text
  return interact(session, async (moment) => {
    const wait = { conditions, since: moment.since, typed: echoed, timeoutMs }
    const typed = typeAndWait(engine, session, { ...typing, wait })
    // While the program works.
    const secrets = secretsFor(engine, context)
    lookAtCut(moment.since, session, secrets)
    const { note, ending } = await typed
    const notes = [note, submit && text.endsWith('\n') ? enteredTwice : undefined]
    const budget = { maxBytes: context.outputBytes, secrets }
    return observeEffect(moment, { ending, typed: text, budget, notes })
  })
}

const enteredTwice = 'The text ended with a newline, and Enter was pressed after it.'

/** The typist of a call. A person may take the terminal over after the guards have let the call go on. */
export function typistOf({ keyboard }: Session, context: PermittedContext): Typist {
  const { isPerson = false, leaseEpoch, permit } = context
  return { isPerson, epoch: leaseEpoch ?? keyboard.lease.epoch, permit }
}

/** Errors: `person_types`. */
export function typistFor(session: Session, context: PermittedContext): Typist {
  const typist = typistOf(session, context)
  session.keyboard.assertMayType(typist)
  return typist
}

/** Types. The result says once what a person has left. */
export async function typing<Result>(
  { host }: Pick<EngineContext, 'host'>,
  session: Session,
  context: PermittedContext,
  type: (typist: Typist) => Promise<Result>,
): Promise<Result> {
  const typist = typistFor(session, context)
  const result = await type(typist)
  if (!typist.isPerson) host.leases.clearHandBack(session)
  return result
}
