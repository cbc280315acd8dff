import type { CallContext } from '../../contracts/call/call-context.ts'
import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import { assertInstructable } from './steps/assert-instructable.ts'
import { assertMarks, conditionsOf, observe, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { screenBefore } from './steps/screen-change.ts'
import { typeText, waitBeside } from './steps/type-text.ts'

export async function send(
  engine: EngineContext,
  input: VerbInput<'send'>,
  context: CallContext,
): Promise<VerbOutput<'send'>> {
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  assertMarks(session, conditions)
  if (input.instruct) await assertInstructable(engine, session, waitMs(input, context), context)
  const typed = input.text
  const submit = input.newline ?? true
  // A line editor shows a paste of several lines highlighted first, and draws it again when it is submitted.
  const echoed = session.modes.bracketedPaste && typed.includes('\n') ? `${typed}\n${typed}` : typed
  const before = await screenBefore(session)
  const since = session.parsedTo
  const release = session.watch()
  try {
    const { written } = await typeText(engine, session, typed, { submit })
    const { note, ending } = await waitBeside(engine.clock, written, (cancelWith) => {
      const wait = { conditions, since, typed: echoed, timeoutMs: waitMs(input, context) }
      return waitFor(engine.clock, session, wait, context, cancelWith)
    })
    const seen = await observe(session, { since, typed, ending, before, budget: { maxBytes: context.outputBytes } })
    const notes = [note, submit && typed.endsWith('\n') ? enteredTwice : undefined].filter((one) => one !== undefined)
    return { sent: true, ...seen, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) }
  } finally {
    release()
  }
}

const enteredTwice = 'The text ended with a newline, and Enter was pressed after it.'
