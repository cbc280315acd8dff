import { TermError } from '@agentpty/protocol'
import type { Handler } from '../../call/index.ts'
import { typeAndObserve } from '../steps/type-and-observe.ts'
import { typistFor } from '../steps/typist.ts'
import { conditionsOf, waitMs } from '../steps/wait-in-call.ts'

export const answer: Handler<'answer'> = async (engine, input, context) => {
  const { questionId, text } = input
  // A question of a terminal that the caller does not see stays for those who do.
  const asked = engine.questions.find(questionId)
  if (asked !== null) engine.host.find(asked.terminalId)
  const { terminalId, cursor } = engine.questions.take(questionId)
  let isTyped = false
  try {
    const session = engine.host.find(terminalId)
    if (session.parsedTo !== cursor) throw goneOn(terminalId)
    const typist = typistFor(session, context)
    const observing = typeAndObserve(engine, session, {
      text,
      typist,
      submit: true,
      conditions: conditionsOf(input, 'ready'),
      timeoutMs: waitMs(input, context),
      context,
    })
    isTyped = true
    return { answered: true, terminalId, ...(await observing) }
  } finally {
    engine.questions.settle(questionId, isTyped)
  }
}

/** The program reads something else now, and may echo it: an answer must not be typed there. */
function goneOn(terminalId: string): TermError {
  const message = `${terminalId} has gone on meanwhile, so nothing was typed.`
  return new TermError('not_asking', message, 'Look with terminal_read.')
}
