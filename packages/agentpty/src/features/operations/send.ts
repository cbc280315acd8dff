import type { CallContext } from '../../contracts/operation.ts'
import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import { assertInstructable } from './steps/assert-instructable.ts'
import { assertMarks, conditionsOf, observe, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { screenBefore } from './steps/screen-change.ts'
import { noteBy, typeText } from './steps/type-text.ts'

export async function send(
  engine: EngineContext,
  input: OperationInput<'send'>,
  context: CallContext,
): Promise<OperationOutput<'send'>> {
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  assertMarks(session, conditions)
  if (input.instruct) await assertInstructable(engine, session, waitMs(input, context), context)
  const typed = input.text
  // A line editor shows a paste of several lines highlighted first, and draws it again when it is submitted.
  const echoed = session.modes.bracketedPaste && typed.includes('\n') ? `${typed}\n${typed}` : typed
  const before = await screenBefore(session)
  const since = session.parsedTo
  const release = session.watch()
  try {
    const { written } = await typeText(engine, session, input.text, { submit: input.newline ?? true })
    // A program that does not read must not hold the call beyond its deadline: the wait runs beside the write.
    const waiting = waitFor(
      engine.clock,
      session,
      { conditions, since, typed: echoed, timeoutMs: waitMs(input, context) },
      context,
    )
    const [note, ending] = await Promise.all([noteBy(engine.clock, written, waiting), waiting])
    const seen = await observe(session, { since, typed, ending, before, budget: { maxBytes: context.outputBytes } })
    return { sent: true, ...seen, ...(note === undefined ? {} : { note }) }
  } finally {
    release()
  }
}
