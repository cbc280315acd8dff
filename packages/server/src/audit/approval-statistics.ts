/** How much persons are asked, how fast they answer, and what they say: who always says yes does not look any more. */

import type { ApprovalStatistics, RecordOf } from '@agentpty/protocol/audit'

const hourMs = 60 * 60 * 1_000

type Told = RecordOf<'approval'>

/** Of records in their order. */
export function approvalStatistics(records: Iterable<Told>, isoTime: (wall: number) => string): ApprovalStatistics {
  const told = [...records]
  const asked = told.filter(({ event }) => event === 'asked')
  const [first, last] = [asked[0]?.at ?? 0, asked.at(-1)?.at ?? 0]
  const waits = told.flatMap(({ event, waitedMs }) => (isAnswer(event) && waitedMs !== undefined ? [waitedMs] : []))
  return {
    asked: asked.length,
    allowed: countOf(told, 'allowed'),
    denied: countOf(told, 'denied'),
    expired: countOf(told, 'expired'),
    askedPerHour: rounded(asked.length / Math.max(1, (last - first) / hourMs)),
    busiestHour: busiest(
      asked.map(({ at }) => at),
      isoTime,
    ),
    medianAnswerMs: median(waits),
    rules: [...new Set(told.map(({ rule }) => rule))].sort().map((rule) => ofRule(rule, told)),
  }
}

const isAnswer = (event: Told['event']) => event === 'allowed' || event === 'denied'
const countOf = (told: readonly Told[], event: Told['event']) => told.filter((one) => one.event === event).length
const rounded = (value: number) => Math.round(value * 100) / 100

function ofRule(rule: string, told: readonly Told[]): ApprovalStatistics['rules'][number] {
  const own = told.filter((one) => one.rule === rule)
  const [allowed, denied] = [countOf(own, 'allowed'), countOf(own, 'denied')]
  const answered = allowed + denied
  const allowedShare = answered === 0 ? null : rounded(allowed / answered)
  return { rule, asked: countOf(own, 'asked'), allowed, denied, allowedShare }
}

/** The hour of the clock in which most were asked; the first of several. */
function busiest(times: readonly number[], isoTime: (wall: number) => string): ApprovalStatistics['busiestHour'] {
  const hours = new Map<number, number>()
  for (const time of times) {
    const hour = Math.floor(time / hourMs)
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const [most] = [...hours].toSorted(([, one], [, other]) => other - one)
  return most === undefined ? null : { from: isoTime(most[0] * hourMs), asked: most[1] }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
