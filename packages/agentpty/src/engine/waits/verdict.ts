/**
 * Whose turn it is: from kernel facts, marks and output to a verdict. Pure; time comes in, and where the answer only
 * needs more time, the moment to ask again goes out.
 *
 * Nothing counts before there is proof that the program took its input: the state from before a write looks the same.
 * After that each kind of evidence must have held, without a single time slice of the waiting thread, for as long as
 * it is weak. No program's name is in the rules, and nothing is ever sent to a program to find out.
 */

import type { Exit, Facts } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'
import type { Confidence, Kind, Verdict } from '../../contracts/verdict.ts'

export interface TurnView {
  readonly exit: Exit | null
  /** Latest facts; null when none have come yet. */
  readonly facts: Facts | null
  /** They were read after the last input and after all the output we have. */
  readonly factsCurrent: boolean
  /** The program has asked the terminal something and has no answer yet: it waits for us, not for the caller. */
  readonly awaitsTerminal: boolean
  /** Host's time and ours at which the waiting thread was first seen as it is in `facts`. */
  readonly restingSince: { readonly host: Millis; readonly own: Millis }
  readonly lastOutputAt: Millis
  readonly lastInputAt: Millis
  /** An Escape was pressed; until then the program may still take it for the start of another key. */
  readonly escapeUntil: Millis
  /** The shell has drawn its prompt and runs nothing. */
  readonly atPrompt: boolean
  /** A shell command is running by the marks. */
  readonly commandRunning: boolean
  readonly startedAsShell: boolean
  readonly alternateScreen: boolean
  readonly bracketedPaste: boolean
  /** Nothing stands left of the cursor, so nothing was asked. */
  readonly cursorLineEmpty: () => boolean
}

export interface TurnAnswer {
  readonly verdict: Verdict
  /** When holding still would strengthen the evidence; null when only an event can change the verdict. */
  readonly recheckAt: Millis | null
}

interface Claim {
  readonly holdMs: Millis
  /** What must have lasted: the thread's rest, or (for a program that polls in rounds) the quiet of its terminal. */
  readonly basis?: 'quiet'
  readonly confidence: Confidence
  readonly kind: Kind
  readonly why: string
}

/** Below this the host's own samples prove how long a thread rested; above it our clock does. */
const provenByHostMs = 100

const words = { read: 'read', poll: 'poll', select: 'select', epoll: 'epoll', none: '' } as const

export function judgeTurn(view: TurnView, now: Millis): TurnAnswer {
  if (view.exit !== null) return settled('exited', null, 'certain', ['the program has ended'], now)
  const { facts } = view
  if (now < view.escapeUntil) return busy(['it may wait for more after Escape'], now, view.escapeUntil)
  if (facts === null) return busy(['no facts from the kernel yet'], now, null)
  if (view.awaitsTerminal) return busy(['it waits for an answer of the terminal'], now, null)
  if (!view.factsCurrent) return busy(['something happened since the last look'], now, null)
  if (facts.inputPending) return busy(['input waits for the program to read it'], now, null)
  const claim = facts.wait === 'none' ? claimOfHidden(view, facts) : claimOfWaiter(view, facts)
  if (claim === null) return busy([whatItDoes(facts)], now, null)
  if (!facts.consumed) return judgeUnproven(view, facts, claim, now)
  return hold(view, claim, now)
}

function hold(view: TurnView, claim: Claim, now: Millis): TurnAnswer {
  const { facts, restingSince } = view
  if (claim.basis === 'quiet') return holdQuiet(view, claim, now)
  const proven = facts === null ? 0 : facts.at - restingSince.host
  const rested = claim.holdMs > provenByHostMs ? now - restingSince.own : proven
  if (rested >= claim.holdMs) return settled('ready', claim.kind, claim.confidence, [claim.why], restingSince.own)
  const recheckAt = claim.holdMs > provenByHostMs ? restingSince.own + claim.holdMs : null
  return busy([`${claim.why}, not yet for ${claim.holdMs} ms`], now, recheckAt)
}

function holdQuiet(view: TurnView, claim: Claim, now: Millis): TurnAnswer {
  const since = Math.max(view.lastOutputAt, view.lastInputAt)
  if (now - since >= claim.holdMs) return settled('ready', claim.kind, claim.confidence, [claim.why], since)
  return busy([`${claim.why}, not yet quiet for ${claim.holdMs} ms`], now, since + claim.holdMs)
}

/** Typed without Enter, a line need not wake its program: after a while the absence of proof is accepted, weakly. */
function judgeUnproven(view: TurnView, facts: Facts, claim: Claim, now: Millis): TurnAnswer {
  const patience = 500
  const since = Math.max(view.lastInputAt, view.restingSince.own)
  if (facts.unread > 0) return busy(['the program has not read its input'], now, null)
  if (now - since < patience) return busy(['no proof yet that the input was taken'], now, since + patience)
  return settled('ready', claim.kind, 'low', [claim.why, 'no proof that the input was taken'], since)
}

function claimOfWaiter(view: TurnView, facts: Facts): Claim | null {
  const kind = kindOf(view, facts)
  const why = `${facts.name} waits in ${words[facts.wait]} on this terminal`
  if (facts.unread > 0) return null
  if (kind === 'shell' && view.atPrompt) return { holdMs: 0, confidence: 'certain', kind, why: `${why}, at its prompt` }
  if (facts.wait === 'read' && facts.waiterThread === facts.waiter)
    return { holdMs: 0, confidence: 'certain', kind, why }
  // One thread reads keys while another may still work and draw.
  if (facts.wait === 'read') return { holdMs: 8, basis: 'quiet', confidence: 'high', kind, why: `a thread of ${why}` }
  return claimOfPoller(view, facts, kind, why)
}

/** A poll may be a pause in other work: the more it waits for besides the keyboard, the longer it must hold. */
function claimOfPoller(view: TurnView, facts: Facts, kind: Kind, why: string): Claim {
  const { timeoutMs, otherFds } = facts
  if (timeoutMs === null && otherFds === 0) return { holdMs: 0.5, confidence: 'high', kind, why }
  const nothingAsked = !view.alternateScreen && view.cursorLineEmpty()
  if (nothingAsked) return { holdMs: 2_500, basis: 'quiet', confidence: 'low', kind, why: `${why}, but asks nothing` }
  if (timeoutMs === null) return { holdMs: 8, confidence: 'high', kind, why: `${why} and ${otherFds} other things` }
  const holdMs = timeoutMs >= 1_000 ? 60 : timeoutMs + 60
  return { holdMs, basis: 'quiet', confidence: 'medium', kind, why: `${why}, at most ${timeoutMs} ms at a time` }
}

/** A program of another user hides its calls; its run state and the terminal's modes stay readable. */
function claimOfHidden(view: TurnView, facts: Facts): Claim | null {
  if (facts.readable || facts.state !== 'S' || facts.unread > 0) return null
  const why = `${facts.name} sleeps and hides what it waits for`
  if (facts.canonical && !facts.echo)
    return { holdMs: 25, confidence: 'high', kind: 'password', why: `${why}, echo off` }
  if (view.cursorLineEmpty()) return { holdMs: 3_000, confidence: 'low', kind: 'other', why }
  return { holdMs: 350, confidence: 'low', kind: facts.canonical ? 'line' : 'other', why }
}

function kindOf(view: TurnView, facts: Facts): Kind {
  const isLeader = facts.waiter === facts.leader
  if (isLeader && view.startedAsShell && !view.commandRunning && !(facts.canonical && !facts.echo)) return 'shell'
  if (facts.canonical) return facts.echo ? 'line' : 'password'
  if (view.alternateScreen) return 'tui'
  if (view.bracketedPaste) return 'repl'
  if (facts.wait === 'read') return facts.readBytes === 1 ? 'key' : 'other'
  // Line editors poll for each key and draw the line themselves; they stand behind a prompt.
  return view.cursorLineEmpty() ? 'other' : 'repl'
}

function whatItDoes(facts: Facts): string {
  if (facts.foreground <= 0) return 'no program in the foreground'
  const doing = facts.state === 'R' ? 'runs' : facts.state === 'T' ? 'is stopped' : 'waits for something else'
  return `${facts.name || `process ${facts.foreground}`} ${doing}`
}

function busy(evidence: readonly string[], now: Millis, recheckAt: Millis | null): TurnAnswer {
  return { verdict: { state: 'busy', kind: null, confidence: 'high', evidence, since: now }, recheckAt }
}

function settled(
  state: 'ready' | 'exited',
  kind: Kind | null,
  confidence: Confidence,
  evidence: readonly string[],
  since: Millis,
): TurnAnswer {
  return { verdict: { state, kind, confidence, evidence, since }, recheckAt: null }
}
