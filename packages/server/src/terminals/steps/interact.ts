/**
 * One interaction with a terminal: keeps its state before, writes something, waits for the effect, and returns what has
 * changed. Verbs differ in what they write and in how they wait; all else is here, once.
 */

import type { ScreenPicture } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { defined, type Offset } from '@agentpty/protocol'
import type { Ending, Observation } from '@agentpty/protocol/call'
import { observe } from './observe.ts'
import type { Budget } from './read-text.ts'
import { unfinishedStatement } from './run-notes.ts'
import { screenBefore } from './screen-change.ts'

/** The state of a terminal just before anything is written to it. */
export interface Moment {
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

export interface Effect {
  readonly ending: Ending | null
  /** What the caller typed: its echo is left out. */
  readonly typed?: string
  readonly budget?: Budget
  /** What the caller should know of its input; undefined entries are left out. */
  readonly notes: readonly (string | undefined)[]
}

/** What has changed since the moment. */
export async function observeEffect(moment: Moment, effect: Effect): Promise<Observation> {
  const { since, before } = moment
  const { notes, ending, typed, budget } = effect
  const observation = await observe(moment.session, defined({ since, before, ending, typed, budget }))
  const note = [...notes, unfinishedStatement(observation)].filter((one) => one !== undefined).join(' ')
  return note === '' ? observation : { ...observation, note }
}
