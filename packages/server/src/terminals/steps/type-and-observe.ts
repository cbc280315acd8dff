/** Text and what came of it: what `send` does for a caller, and `answer` for a person. */

import type { Session } from '@agentpty/engine/session'
import { defined, type Millis } from '@agentpty/protocol'
import type { CallContext, Condition, Observation } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import { type EngineContext, secretsFor } from '../../call/index.ts'
import { interact, observeEffect } from './interact.ts'
import { lookAtCut } from './mask-lines.ts'
import { typeAndWait } from './type-text.ts'

export interface TypedText {
  readonly text: string
  readonly typist: Typist
  /** Press Enter after it. */
  readonly submit: boolean
  /** Both as in `typeAndWait`. */
  readonly check?: () => void
  readonly proof?: () => Promise<void>
  readonly conditions: readonly Condition[]
  readonly timeoutMs: Millis
  readonly context: CallContext
}

/** Errors: `session_exited`, `line_too_long`, `person_types`, `cancelled`, those of `check`. */
export function typeAndObserve(
  engine: EngineContext,
  session: Session,
  { text, typist, submit, check, proof, conditions, timeoutMs, context }: TypedText,
): Promise<Observation> {
  // A line editor shows a paste of several lines highlighted first, and draws it again when it is submitted.
  const echoed = session.modes.bracketedPaste && text.includes('\n') ? `${text}\n${text}` : text
  return interact(session, async (moment) => {
    const wait = { conditions, since: moment.since, typed: echoed, timeoutMs }
    const typing = { text, typist, submit, ...defined({ check, proof }), wait, context }
    const typed = typeAndWait(engine, session, typing)
    // While the program works.
    const secrets = secretsFor(engine, context)
    lookAtCut(moment.since, session, secrets)
    const { note, ending } = await typed
    const notes = [note, submit && text.endsWith('\n') ? enteredTwice : undefined]
    const budget = { maxBytes: context.outputBytes, secrets }
    return observeEffect(moment, { ending, typed: text, budget, notes })
  })
}

const enteredTwice = 'The text ended with a newline, and Enter was pressed after it.'
