import type { Session } from '@agentpty/engine/session'
import { defined, TermError } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { EngineContext, Handler } from '../../call/index.ts'
import { assertInstructable, hasTakenInstruction, noteTaken } from '../steps/assert-instructable.ts'
import { assertNoDraft, lostAsItStarted, proveSubmitted } from '../steps/prove-submitted.ts'
import { type TypedText, typeAndObserve } from '../steps/type-and-observe.ts'
import { typing } from '../steps/typist.ts'
import { assertMarks, conditionsOf, waitMs } from '../steps/wait-in-call.ts'

/** How often an agent that starts may lose what is typed. */
const timesMax = 3

export const send: Handler<'send'> = async (engine, input, context) => {
  const { text, newline: submit, instruct, ifAsked } = input
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input, context)
  assertMarks(session, conditions)
  return typing(engine, session, context, async (typist) => {
    const check = ifAsked === undefined ? undefined : () => assertAsked(engine, ifAsked)
    const typed = { text, typist, submit, ...defined({ check }), conditions, timeoutMs, context }
    if (instruct) return instructed(engine, session, typed)
    return { sent: true, ...(await typeAndObserve(engine, session, typed)) }
  })
}

function assertAsked({ overview }: EngineContext, needId: string): void {
  if (overview.stillAsks(needId)) return
  const hint = 'Nothing was typed. Look at what it shows now with terminal_screenshot.'
  throw new TermError('not_asking', `${needId} is not asked any more.`, hint)
}

async function instructed(engine: EngineContext, session: Session, typed: TypedText): Promise<VerbOutput<'send'>> {
  const { text, typist, submit, timeoutMs, context } = typed
  await engine.host.assertMayInstruct(session)
  await assertInstructable(engine, session, timeoutMs, context)
  // Without a box there is nothing to look at: whoever waits for the turn sees whether the input is taken.
  const hasBox = await assertNoDraft(engine, session, context)
  const startedWith = hasTakenInstruction(session) ? null : (await session.screen()).picture().text
  let isTaken = true
  const proof = async () => {
    isTaken = await proveSubmitted(engine, session, { text, typist, startedWith }, context)
  }
  for (let times = 1; times <= timesMax; times++) {
    const seen = await typeAndObserve(engine, session, submit && hasBox ? { ...typed, proof } : typed)
    if (!isTaken) continue
    noteTaken(session)
    return { sent: true, ...seen }
  }
  throw lostAsItStarted(session)
}
