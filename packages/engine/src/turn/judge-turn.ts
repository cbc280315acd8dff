import type { Activity, Facts, Millis } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import type { AgentReport } from '../agents/program-status.ts'
import {
  evidence,
  type Hold,
  otherThreadsWork,
  type Row,
  type Says,
  type Section,
  type Unit,
  unproven,
  whateverTheKernelShows,
} from './evidence-table.ts'
import { allOf } from './kind-signs.ts'
import { type Seen, type SignTest, signs } from './signs.ts'
import { situationAt } from './situation.ts'
import type { TurnMoment } from './turn-moment.ts'

interface Measure {
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

/** Measures how long a row of the table has held: since when its time counts, whether it is over, and when to ask again. */
export function measure(unit: Unit, holdMs: Millis, moment: TurnMoment): Measure {
  switch (unit) {
    case 'rest':
      return measureRest(holdMs, moment)
    case 'quiet':
    case 'report':
    case 'motion':
      return since(Math.max(moment.lastOutputAt, moment.lastInputAt, moment.othersWorkedAt), holdMs, moment)
    case 'still':
      return since(stillSince(moment), holdMs, moment)
    case 'input':
      return since(moment.lastInputAt, holdMs, moment)
    case 'sinceInput':
      return since(Math.max(moment.lastInputAt, moment.othersWorkedAt), holdMs, moment)
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

function stillSince({ now, output, lastOutputAt, lastInputAt, othersWorkedAt }: TurnMoment): Millis {
  return Math.max(output.sameScreenSince(now) ?? lastOutputAt, lastInputAt, othersWorkedAt)
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

// Evidence in words: the rows of the table of evidence, with the observed values filled in.

function inCall(facts: Facts): string {
  return `${facts.name} waits in ${facts.wait} on ${facts.inner ? 'the terminal inside this one' : 'this terminal'}`
}

const doings: Readonly<Record<Activity, string>> = {
  none: 'does something else',
  runs: 'runs',
  sleeps: 'sleeps for a time it has set',
  child: 'waits for a child',
  network: 'waits for the network',
  pipe: 'waits for another program',
  thread: 'waits for another thread',
  disk: 'waits for the disk',
  stopped: 'is stopped',
  other: 'waits for something else',
  rounds: 'sleeps for short times, again and again',
}

function whatItDoes(facts: Facts): string {
  if (facts.foreground <= 0) return 'no program in the foreground'
  return `${facts.name || `process group ${facts.foreground}`} ${doings[facts.activity]}`
}

/** The placeholders in the reasons of the table, and what replaces them. */
const placeholders: Readonly<Record<string, (facts: Facts) => string | number | null>> = {
  name: ({ name }) => name,
  call: inCall,
  does: whatItDoes,
  sockets: ({ sockets }) => sockets,
  otherFds: ({ otherFds }) => otherFds,
  timeoutMs: ({ timeoutMs }) => timeoutMs,
}

type Words = (moment: TurnMoment) => string

/** Returns a function that fills a reason in. `{report}` is what the agent's report says, the others are of the facts. */
function wordsOf(reason: string): Words {
  const [start = '', ...rest] = reason.split('{')
  const parts = rest.map((part) => {
    const [name = '', text = ''] = part.split('}')
    return { name, text }
  })
  return (moment) => parts.reduce((words, { name, text }) => words + seenAt(name, moment) + text, start)
}

function seenAt(name: string, { agent, facts }: TurnMoment): string {
  if (name === 'report') return agent?.why ?? ''
  return facts === null ? '' : String(placeholders[name]?.(facts) ?? '')
}

/**
 * Judges whose turn it is, from kernel facts, marks, output and the program's own reports. Pure: it takes a moment and returns
 * a verdict. Where the answer only needs more time, it also returns when to ask again.
 *
 * The rules are the rows of evidence-table.ts, in their order. Nothing counts before there is proof that the program
 * took its input: the state from before a write cannot be distinguished. After that each kind of evidence must have
 * held for as long as it is weak. No program's name is in the rules but those of remote clients, and nothing is ever
 * sent to a program to find out.
 */
export interface TurnAnswer {
  readonly verdict: Verdict
  /** When holding still would strengthen the evidence; null when only an event can change the verdict. */
  readonly recheckAt: Millis | null
  /** Facts that should have come have not: the host is to be asked anew. */
  readonly asksHost: boolean
}

/** A row of the table at one moment: its time in ms, and its words, still to be filled in. */
interface Claim {
  readonly holdMs: Millis
  readonly unit: Unit
  readonly says: Says
  readonly why: readonly Words[]
  /** The titles of its section and row. */
  readonly name: string
}

/** The input that a ready program expects. */
type Expected = Pick<Verdict, 'kind' | 'needs' | 'question'>

interface Rule extends Pick<Claim, 'unit' | 'says' | 'why' | 'name'> {
  readonly hold: Hold
  readonly fits: SignTest
}

/** `seen`: the beginning of every verdict of its section. */
function ruleOf([name, hold, unit, says, when, reason]: Row, { title, seen }: Pick<Section, 'title' | 'seen'>): Rule {
  const why = [seen, reason].filter((words) => words !== undefined).map(wordsOf)
  return { hold, unit, says, why, name: `${title}: ${name}`, fits: allOf(signs, when) }
}

const sections = evidence.map((section) => ({
  fits: allOf(signs, section.when),
  rules: section.rows.map((row) => ruleOf(row, section)),
}))
const noProof = unproven.map((row) => ruleOf(row, whateverTheKernelShows))
const othersWork = ruleOf(otherThreadsWork, whateverTheKernelShows)

export function judgeTurn(moment: TurnMoment): TurnAnswer {
  const seen: Seen = { moment, situation: situationAt(moment) }
  for (const { fits, rules } of sections) {
    if (!fits(seen)) continue
    for (const rule of rules) {
      const answer = rule.fits(seen) ? judgeRule(rule, seen) : null
      if (answer !== null) return answer
    }
  }
  throw new Error('No row of the table of evidence fits this moment.')
}

/** Null when it is a row that says busy, and its time is over. */
function judgeRule(rule: Rule, seen: Seen): TurnAnswer | null {
  const { moment, situation } = seen
  const claim = claimOf(rule, moment)
  if (claim.says === 'busy' || claim.says === 'exited') return judgeClaim(claim, moment, nothing)
  if (moment.agent !== null) return judgeClaim(claim, moment, expectedBy(moment.agent))
  const kind = situation?.kind() ?? null
  // A program that draws meanwhile is not at rest merely because proof is missing.
  const { isOver } = measure(claim.unit, claim.holdMs, moment)
  return judgeClaim(isOver ? doubted(claim, seen) : claim, moment, { kind, needs: null, question: null })
}

function claimOf({ hold, ...rule }: Rule, moment: TurnMoment): Claim {
  return { holdMs: holdMsOf(hold, rule.unit, moment), ...rule }
}

const nothing: Expected = { kind: null, needs: null, question: null }

function expectedBy({ state, question }: AgentReport): Expected {
  if (state !== 'blocked') return { kind: 'agent', needs: null, question: null }
  return { kind: 'menu', needs: 'answer', question }
}

/** A line without Enter need not wake its program: after a while the absence of proof is accepted, with low confidence. */
function doubted(claim: Claim, seen: Seen): Claim {
  const missing = noProof.find(({ fits }) => fits(seen))
  if (missing !== undefined) {
    const { why, ...time } = claimOf(missing, seen.moment)
    return { ...time, why: [...claim.why, ...why] }
  }
  return claim.holdMs > 0 && othersWork.fits(seen) ? claimOf(othersWork, seen.moment) : claim
}

function judgeClaim(claim: Claim, moment: TurnMoment, expected: Expected): TurnAnswer | null {
  const { says, name: rule } = claim
  const { isOver, since, recheckAt, isOverdue } = measure(claim.unit, claim.holdMs, moment)
  if (isOver && says === 'busy') return null
  const evidence = claim.why.map((words) => words(moment))
  if (says === 'exited') return answer({ state: 'exited', confidence: 'certain', evidence, rule, since }, expected)
  if (says === 'busy' || !isOver) {
    const busy = {
      state: 'busy',
      confidence: 'high',
      evidence: whileItHolds(claim, evidence),
      rule,
      since: moment.now,
    } as const
    return { ...answer(busy, nothing), recheckAt, asksHost: isOverdue }
  }
  const confidence = says === 'reported' ? (moment.agent?.confidence ?? 'low') : says
  return answer({ state: 'ready', confidence, evidence, rule, since }, expected)
}

function answer(
  { state, confidence, evidence, rule, since }: Omit<Verdict, keyof Expected>,
  { kind, needs, question }: Expected,
): TurnAnswer {
  const verdict = { state, kind, confidence, needs, question, evidence, rule, since }
  return { verdict, recheckAt: null, asksHost: false }
}

/** The evidence of a verdict whose row has not held long enough yet. */
function whileItHolds({ unit, holdMs }: Claim, why: readonly string[]): readonly string[] {
  const [first = ''] = why
  switch (unit) {
    case 'rest':
      return [...why, `not yet for ${holdMs} ms`]
    case 'still':
      return [...why, `not yet for ${holdMs} ms`]
    case 'quiet':
      return [...why, `not yet quiet for ${holdMs} ms`]
    case 'report':
      return [`${first}, not yet for ${holdMs} ms`]
    case 'motion':
      return [first]
    case 'input':
      return [`${first}, but it has input since`]
    case 'sinceInput':
      return [...why, `not yet ${holdMs} ms after the input`]
    case 'proof':
      return ['no proof yet that the input was taken']
    case 'escape':
    case 'until':
    case 'event':
      return why
  }
}
