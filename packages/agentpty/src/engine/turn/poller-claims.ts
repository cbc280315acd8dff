/** Claims of programs that poll: it may be a pause in other work, and the more they wait for, the longer it must hold. */

import type { Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import { asksNothing, type Claim, givenBackMs, newWorkMs, nothingAskedMs, quietClaims, unansweredMs } from './claim.ts'
import { claimOfRemote, isRemoteClient } from './hidden-claims.ts'
import { promptShape } from './prompt-shape.ts'
import type { Rest, TurnView } from './turn-view.ts'

/** A longer timer keeps something alive, or refreshes it. */
const workTimerMs = 3_000

export function claimOfPoller(view: TurnView, facts: Facts, kind: Kind, why: string): Claim {
  if (isRemoteClient(facts)) return claimOfRemote(view, kind, why)
  const claim = quietClaims(kind, why)
  if (facts.activity === 'runs') return claim(unansweredMs, 'low', 'its main thread runs')
  if (view.progressing) return claim(newWorkMs, 'low', 'while it shows progress')
  if (facts.timeoutMs === null && facts.otherFds === 0) {
    if (facts.inner) return claim(8, 'high')
    return { holdMs: facts.threads > 1 ? 0.5 : 0, confidence: 'high', kind, why: [why] }
  }
  const isSilent = asksNothing(view)
  const isBack = isLinewise(view) && view.promptedSinceInput()
  if (facts.canonical && view.lastRest?.waiter === facts.waiter && !view.lastRest.canonical)
    return claim(isSilent ? unansweredMs : givenBackMs, 'low', 'but has left raw mode')
  const news = newSinceRest(view, facts)
  if (isBack && (news !== null || isSilent)) return claim(tickMs(facts), 'low', 'and its prompt was back')
  if (news !== null) return claim(isSilent ? Math.max(news.holdMs, unansweredMs) : news.holdMs, 'low', news.why)
  if (isSilent && (view.lastRest?.asked === true || !isAsAtRest(view, facts)))
    return claim(nothingAskedMs, 'low', 'but asks nothing')
  // With its own prompt back, and nothing new begun, whatever timers and connections it has are those of its rest.
  // What it begins with may still be loading.
  if (view.lastRest === null && facts.sockets > 0 && facts.timeoutMs !== null && facts.timeoutMs >= 1_000)
    return claim(newWorkMs, 'low', `and on ${facts.sockets} connections`)
  const hasAnswered = view.answeredSinceInput()
  if (hasAnswered && view.isKnownPrompt())
    return claim(10, facts.sockets === 0 && facts.timeoutMs === null ? 'high' : 'medium', 'behind a known prompt')
  return facts.timeoutMs === null
    ? claimOfEndless(view, facts, kind, why)
    : claim(roundMs(view, facts.timeoutMs), 'medium', `at most ${facts.timeoutMs} ms at a time`)
}

/** It writes line by line, and what stands before the cursor is where it waits. */
function isLinewise(view: TurnView): boolean {
  return !view.alternateScreen && !view.cursorHidden && !view.paints()
}

/** What its own timers print may come again at each of their rounds. */
function tickMs({ timeoutMs }: Facts): Millis {
  return timeoutMs === null ? 150 : Math.max(20, Math.min(150, 0.6 * timeoutMs))
}

/** It waits without a timer, for other things too. */
function claimOfEndless(view: TurnView, facts: Facts, kind: Kind, why: string): Claim {
  const claim = quietClaims(kind, why)
  if (facts.threads > 1 && !view.answeredSinceInput()) return claim(60, 'medium', 'without an answer yet')
  if (facts.sockets > 0 && !isAsAtRest(view, facts)) return claim(60, 'medium', `and on ${facts.sockets} connections`)
  // What another thread does with the keys is not to be seen.
  const confidence = facts.waiterThread === facts.waiter ? 'high' : 'medium'
  return { holdMs: 8, confidence, kind, why: [why, `and for ${facts.otherFds} other things`] }
}

/**
 * What animates itself draws again when its round is over. A full screen with a longer round has a clock, or a refresh; so
 * has what stands behind a prompt. Words that are none, on one line, may be an animation, however slow.
 */
function roundMs(view: TurnView, timeoutMs: Millis): Millis {
  const isPainted = view.alternateScreen || view.paints()
  const shape = isPainted ? null : promptShape(view.cursorLine().before)
  if (shape === 'text' && timeoutMs <= workTimerMs) return timeoutMs + 60
  if (timeoutMs >= 1_000) return 20
  const isAnswer = view.answeredSinceInput() && !(shape === 'empty' && !view.cursorHidden)
  return timeoutMs >= 250 && isAnswer ? 150 : timeoutMs + 60
}

/** Input made the program wait for more than it does at rest: a timer or a connection that its work has opened. */
function newSinceRest(
  { lastRest, restingSince }: TurnView,
  facts: Facts,
): { readonly holdMs: Millis; readonly why: string } | null {
  const { timeoutMs } = facts
  if (lastRest === null || lastRest.waiter !== facts.waiter) return null
  if (facts.sockets > lastRest.sockets) return { holdMs: newWorkMs, why: 'on a new connection too' }
  if (timeoutMs === null || timeoutMs > workTimerMs || !isNewTimer(lastRest, restingSince.host + timeoutMs)) return null
  return { holdMs: newTimerMs(facts, timeoutMs), why: `with a new timer of ${timeoutMs} ms` }
}

/** Alone with its terminal, a program has nobody to do work for it meanwhile: a long timer only takes back what it shows. */
function newTimerMs(facts: Facts, timeoutMs: Millis): Millis {
  const isAlone = facts.otherFds === 0 && facts.threads <= 1 && !facts.inner
  return isAlone && timeoutMs > 1_000 ? 150 : Math.min(2 * timeoutMs + 150, 2 * newWorkMs)
}

/** One that goes off before the timer it rested with, or any where it rested without. */
function isNewTimer(lastRest: Rest, goesOffAt: Millis): boolean {
  const slackMs = 20
  return lastRest.timerAt === null ? lastRest.timeoutMs === null : goesOffAt < lastRest.timerAt - slackMs
}

function isAsAtRest({ lastRest }: TurnView, facts: Facts): boolean {
  return (
    lastRest !== null &&
    lastRest.waiter === facts.waiter &&
    facts.sockets <= lastRest.sockets &&
    facts.otherFds <= lastRest.otherFds &&
    (facts.timeoutMs === null) === (lastRest.timeoutMs === null)
  )
}
