import { assertInstructable } from './steps/assert-instructable.ts'
import type { Handler } from './steps/handler.ts'
import { interact, observeEffect } from './steps/interact.ts'
import { typeAndWait } from './steps/type-text.ts'
import { assertMarks, conditionsOf, waitMs } from './steps/wait-in-call.ts'

export const send: Handler<'send'> = async (engine, input, context) => {
  const { text, newline: submit, instruct } = input
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input, context)
  assertMarks(session, conditions)
  if (instruct) await assertInstructable(engine, session, timeoutMs, context)
  // A line editor shows a paste of several lines highlighted first, and draws it again when it is submitted.
  const echoed = session.modes.bracketedPaste && text.includes('\n') ? `${text}\n${text}` : text
  return interact(session, async (moment) => {
    const wait = { conditions, since: moment.since, typed: echoed, timeoutMs }
    const { note, ending } = await typeAndWait(engine, session, { text, submit, wait, context })
    const notes = [note, submit && text.endsWith('\n') ? enteredTwice : undefined]
    const budget = { maxBytes: context.outputBytes }
    return { sent: true, ...(await observeEffect(moment, { ending, typed: text, budget, notes })) }
  })
}

const enteredTwice = 'The text ended with a newline, and Enter was pressed after it.'
