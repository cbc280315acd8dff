/**
 * Whose turn it is: from kernel facts, marks, output and what the program says of itself to a verdict. Pure; a moment
 * goes in, and where the answer only needs more time, the moment to ask again comes out.
 *
 * The rules are the rows of evidence-table.ts, in their order. Nothing counts before there is proof that the program
 * took its input: the state from before a write cannot be distinguished. After that each kind of evidence must have
 * held for as long as it is weak. No program's name is in the rules but those of remote clients, and nothing is ever
 * sent to a program to find out.
 */

import type { Millis } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import type { AgentReport } from '../agents/agent-report.ts'
import { allOf } from './all-of.ts'
import { evidence, type Hold, otherThreadsWork, type Row, type Says, type Unit, unproven } from './evidence-table.ts'
import { holdMsOf, measure } from './hold.ts'
import { type Seen, type SignTest, signs } from './signs.ts'
import { situationAt } from './situation.ts'
import type { TurnMoment } from './turn-moment.ts'
import { type Words, wordsOf } from './words.ts'

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
}

/** What a program that is ready expects. */
type Expected = Pick<Verdict, 'kind' | 'needs' | 'question'>

interface Rule extends Pick<Claim, 'unit' | 'says' | 'why'> {
  readonly hold: Hold
  readonly fits: SignTest
}

/** `start`: how every verdict of its section begins. */
function ruleOf([, hold, unit, says, when, reason]: Row, start?: string): Rule {
  const why = [start, reason].filter((words) => words !== undefined).map(wordsOf)
  return { hold, unit, says, why, fits: allOf(signs, when) }
}

const sections = evidence.map(({ when, seen, rows }) => ({
  fits: allOf(signs, when),
  rules: rows.map((row) => ruleOf(row, seen)),
}))
const noProof = unproven.map((row) => ruleOf(row))
const othersWork = ruleOf(otherThreadsWork)

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
  // What draws meanwhile is no more at rest for want of proof.
  const { isOver } = measure(claim.unit, claim.holdMs, moment)
  return judgeClaim(isOver ? doubted(claim, seen) : claim, moment, { kind, needs: null, question: null })
}

function claimOf({ hold, unit, says, why }: Rule, moment: TurnMoment): Claim {
  return { holdMs: holdMsOf(hold, unit, moment), unit, says, why }
}

const nothing: Expected = { kind: null, needs: null, question: null }

function expectedBy({ state, question }: AgentReport): Expected {
  if (state !== 'blocked') return { kind: 'agent', needs: null, question: null }
  return { kind: 'menu', needs: 'answer', question }
}

/**
 * A line without Enter need not wake its program: after a while the absence of proof is accepted, with low confidence.
 */
function doubted(claim: Claim, seen: Seen): Claim {
  const missing = noProof.find(({ fits }) => fits(seen))
  if (missing !== undefined) {
    const { why, ...time } = claimOf(missing, seen.moment)
    return { ...time, why: [...claim.why, ...why] }
  }
  return claim.holdMs > 0 && othersWork.fits(seen) ? claimOf(othersWork, seen.moment) : claim
}

function judgeClaim(claim: Claim, moment: TurnMoment, expected: Expected): TurnAnswer | null {
  const { says } = claim
  const { isOver, since, recheckAt, isOverdue } = measure(claim.unit, claim.holdMs, moment)
  if (isOver && says === 'busy') return null
  const evidence = claim.why.map((words) => words(moment))
  if (says === 'exited') return answer({ state: 'exited', confidence: 'certain', evidence, since }, expected)
  if (says === 'busy' || !isOver) {
    const busy = {
      state: 'busy',
      confidence: 'high',
      evidence: whileItHolds(claim, evidence),
      since: moment.now,
    } as const
    return { ...answer(busy, nothing), recheckAt, asksHost: isOverdue }
  }
  const confidence = says === 'reported' ? (moment.agent?.confidence ?? 'low') : says
  return answer({ state: 'ready', confidence, evidence, since }, expected)
}

function answer(
  { state, confidence, evidence, since }: Omit<Verdict, keyof Expected>,
  { kind, needs, question }: Expected,
): TurnAnswer {
  const verdict = { state, kind, confidence, needs, question, evidence, since }
  return { verdict, recheckAt: null, asksHost: false }
}

/** The evidence of a verdict whose row has not held long enough yet. */
function whileItHolds({ unit, holdMs }: Claim, why: readonly string[]): readonly string[] {
  const [first = ''] = why
  switch (unit) {
    case 'rest':
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
