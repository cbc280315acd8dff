/**
 * The table of evidence: what it would mean that the program rests as it does now, how long it must rest so, and how sure
 * we are then. Null where it does not wait for its caller at all.
 */

import type { Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import { asksNothing, type Claim, newWorkMs, nothingAskedMs, quietClaims, unansweredMs } from './claim.ts'
import { claimOfHidden } from './hidden-claims.ts'
import { kindOf } from './kind-of.ts'
import { claimOfPoller } from './poller-claims.ts'
import { promptShape } from './prompt-shape.ts'
import type { TurnView } from './turn-view.ts'
import { inCall, whatItDoes } from './words.ts'

export function claimOf(view: TurnView, facts: Facts): Claim | null {
  if (facts.unread > 0) return null
  if (facts.wait === 'none') return facts.readable ? claimOfWorker(view, facts) : claimOfHidden(view, facts)
  const kind = kindOf(view, facts)
  const why = inCall(facts)
  if (facts.relay) return quietClaims(kind, why)(1_000, 'low', 'with nobody inside')
  if (view.atPrompt && !facts.inner && (kind === 'shell' || kind === 'continuation')) {
    const drawn = kind === 'shell' ? 'it has drawn its prompt' : 'it asks for the rest of a command'
    return { holdMs: 0, confidence: 'certain', kind, why: [why, drawn] }
  }
  // A terminal may end its reads after a time: as good as a poll.
  const isRead = facts.wait === 'read' && facts.timeoutMs === null
  return isRead ? claimOfReader(view, facts, kind, why) : claimOfPoller(view, facts, kind, why)
}

function claimOfReader(view: TurnView, facts: Facts, kind: Kind, why: string): Claim {
  if (facts.waiterThread !== facts.waiter) return claimOfReaderThread(view, facts, kind, `a thread of ${why}`)
  if (facts.inner) return quietClaims(kind, why)(8, 'high')
  if (facts.threads <= 1) return { holdMs: 0, confidence: 'certain', kind, why: [why] }
  if (asksNothing(view)) return quietClaims(kind, why)(8, 'medium', 'beside other threads, and asks nothing')
  return { holdMs: 2, confidence: 'high', kind, why: [why] }
}

/** One thread reads keys while another may still work and draw. */
function claimOfReaderThread(view: TurnView, facts: Facts, kind: Kind, why: string): Claim {
  const claim = quietClaims(kind, why)
  if (facts.activity === 'runs') return claim(unansweredMs, 'low', 'its main thread runs')
  if (view.progressing) return claim(newWorkMs, 'low', 'while it shows progress')
  const isSilent = asksNothing(view)
  if (facts.activity === 'sleeps') return claim(isSilent ? 4_000 : 300, 'low', 'its main thread sleeps')
  if (isSilent) return claim(nothingAskedMs, 'low', 'but asks nothing')
  return view.answeredSinceInput() ? claim(8, 'high') : claim(60, 'medium', 'without an answer yet')
}

const questionShapes: ReadonlySet<string> = new Set(['question', 'interpreter', 'shell'])

/** Nobody waits for input. A program may still look for it in rounds, or have itself signalled when it comes. */
function claimOfWorker(view: TurnView, facts: Facts): Claim | null {
  if (facts.activity !== 'rounds' && facts.activity !== 'other') return null
  if (!questionShapes.has(promptShape(view.cursorLine().before))) return null
  const [does = ''] = whatItDoes(facts)
  return quietClaims(kindOf(view, facts), does)(newWorkMs, 'low', 'behind what looks like a prompt')
}
