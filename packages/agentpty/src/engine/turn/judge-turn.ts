/**
 * Whose turn it is: from kernel facts, marks, output and what the program says of itself to a verdict. Pure; time comes
 * in, and where the answer only needs more time, the moment to ask again goes out.
 *
 * Nothing counts before there is proof that the program took its input: the state from before a write looks the same.
 * After that each kind of evidence must have held for as long as it is weak. No program's name is in the rules but those
 * of remote clients, and nothing is ever sent to a program to find out.
 */

import type { Facts } from '../../contracts/ports.ts'
import type { Confidence, Kind, Verdict } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import type { AgentReport } from '../agents/agent-report.ts'
import type { Claim } from './claim.ts'
import { claimOf } from './claims.ts'
import type { TurnView } from './turn-view.ts'
import { whatItDoes } from './words.ts'

export interface TurnAnswer {
  readonly verdict: Verdict
  /** When holding still would strengthen the evidence; null when only an event can change the verdict. */
  readonly recheckAt: Millis | null
}

/** Below this the host's own samples prove how long a thread rested; above it our clock does. */
const provenByHostMs = 100
/** An agent that was told something and goes on saying what it said before has not taken it for an instruction. */
const staleReportMs = 1_500
/** So long programs wait for the rest of a key whose first byte they have read. */
const escapeTakenMs = 120

export function judgeTurn(view: TurnView, now: Millis): TurnAnswer {
  if (view.exit !== null)
    return settled('exited', { kind: null, confidence: 'certain' }, ['the program has ended'], now)
  if (view.inputUnfinished) return busy(['its input is still being typed'], now, null)
  const escapeUntil = escapeSettlesAt(view)
  if (now < escapeUntil) return busy(['it may wait for more after Escape'], now, escapeUntil)
  return view.agent === null ? judgeByFacts(view, now) : judgeByReport(view, view.agent, now)
}

/** A busy machine may give it to the program late: the pause begins when the program has taken it. */
function escapeSettlesAt({ escapeUntil, lastInputAt, consumedAt }: TurnView): Millis {
  const isLastInput = escapeUntil > lastInputAt
  return isLastInput && consumedAt !== null ? Math.max(escapeUntil, consumedAt + escapeTakenMs) : escapeUntil
}

function judgeByFacts(view: TurnView, now: Millis): TurnAnswer {
  const { facts } = view
  if (facts === null) return busy(['no facts from the kernel yet'], now, null)
  if (view.awaitsTerminal) return busy(['it waits for an answer of the terminal'], now, null)
  if (!view.factsCurrent) return busy(['something happened since the last look'], now, null)
  if (facts.inputPending) return busy(['input waits for the program to read it'], now, null)
  const claim = claimOf(view, facts)
  if (claim === null) return busy(whatItDoes(facts), now, null)
  if (!facts.consumed) return judgeUnproven(view, facts, claim, now)
  return hold(view, facts, claim, now)
}

/** What a program says of itself counts more than what it looks like. */
function judgeByReport(view: TurnView, agent: AgentReport, now: Millis): TurnAnswer {
  const since = Math.max(view.lastOutputAt, view.lastInputAt)
  if (agent.state === 'working') return judgeAtWork(agent, since, now)
  if (!agent.current && now - view.lastInputAt < staleReportMs)
    return busy([`${agent.why}, but it has input since`], now, view.lastInputAt + staleReportMs)
  if (now - since < agent.quietMs)
    return busy([`${agent.why}, not yet for ${agent.quietMs} ms`], now, since + agent.quietMs)
  const confidence = agent.current ? agent.confidence : 'low'
  if (agent.state === 'idle') return settled('ready', { kind: 'agent', confidence }, [agent.why], since)
  return settled('ready', { kind: 'menu', confidence, needs: 'answer', question: agent.question }, [agent.why], since)
}

function judgeAtWork(agent: AgentReport, since: Millis, now: Millis): TurnAnswer {
  const { motionlessMs } = agent
  if (motionlessMs === null) return busy([agent.why], now, agent.until)
  if (now - since < motionlessMs) return busy([agent.why], now, since + motionlessMs)
  return settled('ready', { kind: 'agent', confidence: 'low' }, [agent.why, 'but nothing moves there'], since)
}

function hold(view: TurnView, facts: Facts, claim: Claim, now: Millis): TurnAnswer {
  if (claim.holdMs > 0 && facts.worksBeside)
    return busy([`another thread of ${facts.name} uses the processor`], now, null)
  if (claim.basis === 'quiet') return holdQuiet(view, claim, now)
  const { restingSince } = view
  const rested = claim.holdMs > provenByHostMs ? now - restingSince.own : facts.at - restingSince.host
  if (rested >= claim.holdMs) return settled('ready', claim, claim.why, restingSince.own)
  const recheckAt = claim.holdMs > provenByHostMs ? restingSince.own + claim.holdMs : null
  return busy([...claim.why, `not yet for ${claim.holdMs} ms`], now, recheckAt)
}

function holdQuiet(view: TurnView, claim: Claim, now: Millis): TurnAnswer {
  const since = Math.max(view.lastOutputAt, view.lastInputAt)
  if (now - since >= claim.holdMs) return settled('ready', claim, claim.why, since)
  return busy([...claim.why, `not yet quiet for ${claim.holdMs} ms`], now, since + claim.holdMs)
}

/** Typed without Enter, a line need not wake its program: after a while the absence of proof is accepted, weakly. */
function judgeUnproven(view: TurnView, facts: Facts, claim: Claim, now: Millis): TurnAnswer {
  const patience = Math.max(500, claim.basis === 'quiet' ? claim.holdMs : 0)
  const since = Math.max(view.lastInputAt, view.restingSince.own)
  if (facts.unread > 0) return busy(['the program has not read its input'], now, null)
  if (now - since < patience) return busy(['no proof yet that the input was taken'], now, since + patience)
  const why = [...claim.why, 'no proof that the input was taken']
  return settled('ready', { kind: claim.kind, confidence: 'low' }, why, since)
}

function busy(evidence: readonly string[], now: Millis, recheckAt: Millis | null): TurnAnswer {
  const verdict: Verdict = {
    state: 'busy',
    kind: null,
    confidence: 'high',
    needs: null,
    question: null,
    evidence,
    since: now,
  }
  return { verdict, recheckAt }
}

interface Settlement {
  readonly kind: Kind | null
  readonly confidence: Confidence
  readonly needs?: 'answer'
  readonly question?: string | null
}

function settled(
  state: 'ready' | 'exited',
  { kind, confidence, needs, question }: Settlement,
  evidence: readonly string[],
  since: Millis,
): TurnAnswer {
  const verdict = { state, kind, confidence, needs: needs ?? null, question: question ?? null, evidence, since }
  return { verdict, recheckAt: null }
}
