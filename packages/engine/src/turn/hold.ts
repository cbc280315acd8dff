/** How long a row of the table has held: since when its time is counted, whether it is over, and when to ask again. */

import type { Millis } from '@agentpty/protocol'
import type { Hold, Unit } from './evidence-table.ts'
import type { TurnMoment } from './turn-moment.ts'

export interface Measure {
  readonly isOver: boolean
  readonly since: Millis
  /** When time alone will end it; null when only an event can. */
  readonly recheckAt: Millis | null
  /** The host should have reported by now, and has not. */
  readonly isOverdue: boolean
}

/** Up to this many ms the host's own samples prove how long a thread has rested; above it our clock does. */
const provenByHostMs = 100
/** On a busy machine the host's report may come this much later (ms) than the rest that it proves. */
const lateMs = 300

export function measure(unit: Unit, holdMs: Millis, moment: TurnMoment): Measure {
  switch (unit) {
    case 'rest':
      return measureRest(holdMs, moment)
    case 'quiet':
    case 'report':
    case 'motion':
      return since(Math.max(moment.lastOutputAt, moment.lastInputAt, moment.othersWorkedAt), holdMs, moment)
    case 'input':
    case 'sinceInput':
      return since(moment.lastInputAt, holdMs, moment)
    case 'proof':
      return since(Math.max(moment.lastInputAt, moment.restingSince.own), holdMs, moment)
    case 'escape':
      return measureEscape(holdMs, moment)
    case 'until':
      return { isOver: false, since: moment.now, recheckAt: moment.agent?.until ?? null, isOverdue: false }
    case 'event':
      return { isOver: false, since: moment.now, recheckAt: null, isOverdue: false }
  }
}

function since(start: Millis, holdMs: Millis, { now }: TurnMoment): Measure {
  return { isOver: now - start >= holdMs, since: start, recheckAt: start + holdMs, isOverdue: false }
}

function measureRest(holdMs: Millis, moment: TurnMoment): Measure {
  const { now, facts, restingSince } = moment
  if (holdMs > provenByHostMs) return since(restingSince.own, holdMs, moment)
  const isOver = facts !== null && facts.at - restingSince.host >= holdMs
  const dueAt = restingSince.own + holdMs + lateMs
  const isOverdue = !isOver && now >= dueAt
  return { isOver, since: restingSince.own, recheckAt: isOverdue ? now + lateMs : dueAt, isOverdue }
}

/** A busy machine may deliver the Escape late: then the pause begins when the program has taken it. */
function measureEscape(holdMs: Millis, { now, escapeUntil, lastInputAt, consumedAt }: TurnMoment): Measure {
  const isLastInput = escapeUntil > lastInputAt
  const until = isLastInput && consumedAt !== null ? Math.max(escapeUntil, consumedAt + holdMs) : escapeUntil
  return { isOver: now >= until, since: until, recheckAt: until, isOverdue: false }
}

/** The time of a row in ms, where the program's timer or the agent's report sets it. */
export function holdMsOf(hold: Hold, unit: Unit, { facts, agent }: TurnMoment): Millis {
  if (typeof hold === 'number') return hold
  if (hold === 'reported') return (unit === 'motion' ? agent?.motionlessMs : agent?.quietMs) ?? 0
  const { times, plus = 0, min = 0, max = Number.POSITIVE_INFINITY } = hold
  return Math.max(min, Math.min(max, times * (facts?.timeoutMs ?? Number.POSITIVE_INFINITY) + plus))
}
