/** One kind of evidence: what it would mean, how long it must hold, and how sure we are then. */

import type { Confidence, Kind } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import { promptShape } from './prompt-shape.ts'
import type { TurnView } from './turn-view.ts'

export interface Claim {
  readonly holdMs: Millis
  /** What must have lasted: the thread's rest, or (for a program that polls in rounds) the quiet of its terminal. */
  readonly basis?: 'quiet'
  readonly confidence: Confidence
  readonly kind: Kind
  readonly why: readonly string[]
}

export type QuietClaim = (holdMs: Millis, confidence: Confidence, reason?: string) => Claim

/** Claims of one program that must hold by quiet, each for a reason of its own. */
export function quietClaims(kind: Kind, why: string): QuietClaim {
  return (holdMs, confidence, reason) => ({
    holdMs,
    basis: 'quiet',
    confidence,
    kind,
    why: reason === undefined ? [why] : [why, reason],
  })
}

/** What a new timer or connection may still bring; a pause beyond this is taken for the end of the work. */
export const newWorkMs = 1_500
export const nothingAskedMs = 2_250
/** A program that had the terminal raw when it waited has given it back. */
export const givenBackMs = 2_000
/** Work that was seen to begin, by a program that asks when it waits and has not: nearly sure not to be over. */
export const unansweredMs = 10_000

export function asksNothing(view: TurnView): boolean {
  if (view.alternateScreen || view.cursorHidden || view.paints()) return false
  return promptShape(view.cursorLine().before) === 'empty'
}
