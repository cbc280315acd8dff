/** A moment with the kernel's facts, and what is computed from it at most once. */

import type { Facts } from '@agentpty/protocol'
import type { Kind } from '@agentpty/protocol/session'
import { kindOf } from './kind-of.ts'
import { once } from './once.ts'
import { type PromptShape, promptShape } from './prompt-shape.ts'
import type { TurnMoment } from './turn-moment.ts'

export interface Situation {
  readonly moment: TurnMoment
  readonly facts: Facts
  /** The shape of the text before the cursor. */
  readonly shape: () => PromptShape
  /** What kind of input the program expects, if it waits. */
  readonly kind: () => Kind
}

/** Null as long as there are no facts. */
export function situationAt(moment: TurnMoment): Situation | null {
  const { facts, output } = moment
  if (facts === null) return null
  const shape = once(() => promptShape(output.cursorLine().before))
  return { moment, facts, shape, kind: once(() => kindOf(moment, facts)) }
}
