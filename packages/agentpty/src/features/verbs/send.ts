import { assertInstructable } from './steps/assert-instructable.ts'
import type { Handler } from './steps/handler.ts'
import { typeAndObserve } from './steps/type-and-observe.ts'
import { assertMarks, conditionsOf, waitMs } from './steps/wait-in-call.ts'

export const send: Handler<'send'> = async (engine, input, context) => {
  const { text, newline: submit, instruct } = input
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input, context)
  assertMarks(session, conditions)
  if (instruct) await assertInstructable(engine, session, timeoutMs, context)
  const seen = await typeAndObserve(engine, session, { text, submit, conditions, timeoutMs, context })
  return { sent: true, ...seen }
}
