/**
 * Has the wait ended? Pure: takes conditions and a view of the session, returns an ending or the time to check again.
 */

import type { Millis, Offset } from '@agentpty/protocol'
import type { Condition, Ending } from '@agentpty/protocol/call'
import { isAtLeast, type Verdict } from '@agentpty/protocol/session'
import type { TurnAnswer } from '../turn/judge-turn.ts'

export interface WaitView {
  readonly exited: boolean
  readonly since: Offset
  /** Output up to here has been seen by every view of the log. */
  readonly parsedTo: Offset
  readonly lastOutputAt: Millis
  readonly lastChangeAt: Millis
  /** Log offset at which the last finished shell command ended; null when none has. */
  readonly lastCommandEnd: Offset | null
  readonly turn: () => Pick<TurnAnswer, 'verdict' | 'recheckAt'>
  readonly found: (condition: Condition) => boolean
  /** Some of the output has not been searched yet; it is checked again when it has. */
  readonly isSearching: () => boolean
}

export type Evaluation =
  | { readonly ending: Ending }
  /** Check again when something happens, at the latest then. */
  | { readonly ending: null; readonly recheckAt: Millis }

interface Checked {
  readonly met: boolean
  readonly recheckAt: Millis
  /** The verdict, for a condition that needs it. */
  readonly verdict?: Verdict
}

export function evaluate(conditions: readonly Condition[], view: WaitView, now: Millis, deadline: Millis): Evaluation {
  let recheckAt = deadline
  let verdict: Verdict | undefined
  for (const condition of conditions) {
    const checked = check(condition, view, now)
    verdict ??= checked.verdict
    if (checked.met) return { ending: { outcome: 'met', by: condition.kind, verdict: verdict ?? view.turn().verdict } }
    recheckAt = Math.min(recheckAt, checked.recheckAt)
  }
  if (view.exited && (now >= deadline || !view.isSearching()))
    return { ending: { outcome: 'exited', verdict: view.turn().verdict } }
  if (now >= deadline) return { ending: { outcome: 'timeout', verdict: verdict ?? view.turn().verdict } }
  return { ending: null, recheckAt }
}

function check(condition: Condition, view: WaitView, now: Millis): Checked {
  switch (condition.kind) {
    case 'exit':
      return only(view.exited)
    case 'output':
      return only(view.parsedTo > view.since)
    case 'command':
      return only(view.lastCommandEnd !== null && view.lastCommandEnd >= view.since)
    case 'text':
    case 'pattern':
      return only(view.found(condition))
    case 'quiet':
      return after(view.lastOutputAt + condition.ms, now)
    case 'stable':
      return after(view.lastChangeAt + condition.ms, now)
    case 'ready': {
      const { verdict, recheckAt } = view.turn()
      const met = verdict.state === 'ready' && isAtLeast(verdict.confidence, condition.confidence)
      return { met, recheckAt: recheckAt ?? Number.POSITIVE_INFINITY, verdict }
    }
  }
}

function only(met: boolean): Checked {
  return { met, recheckAt: Number.POSITIVE_INFINITY }
}

function after(at: Millis, now: Millis): Checked {
  return { met: now >= at, recheckAt: at }
}
