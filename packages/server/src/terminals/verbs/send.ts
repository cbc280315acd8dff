import { encodeKeys } from '@agentpty/engine/keys'
import type { Session } from '@agentpty/engine/session'
import { defined, TermError, type WriteResult } from '@agentpty/protocol'
import type { Typist } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type EngineContext, type Handler, secretsFor } from '../../call/index.ts'
import { assertInstructable, hasTakenInstruction, noteTaken } from '../steps/assert-instructable.ts'
import { interact, observeEffect, type TypedText, typeAndObserve, typing } from '../steps/interact.ts'
import { assertNoDraft, lostAsItStarted, proveSubmitted } from '../steps/prove-submitted.ts'
import { noteOf, writtenBy } from '../steps/type-text.ts'
import { assertMarks, conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

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
  // Without a box there is nothing to check: the wait for the turn shows whether the input was taken.
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

export const sendKeys: Handler<'sendKeys'> = async (engine, input, context) => {
  const { clock, host } = engine
  const session = host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  assertMarks(session, conditions)
  // Encoded before anything is pressed: an unknown key presses none.
  const presses = input.keys.map((key) => encodeKeys([key], session.modes))
  const sequences = presses.map((bytes) => Buffer.from(bytes).toString('utf8'))
  const pressed = (typist: Typist) =>
    interact(session, async (moment) => {
      const deadline = clock.now() + waitMs(input, context)
      const result = await writtenBy({ clock, keyboard: session.keyboard }, press(session, presses, typist), deadline)
      // The program cannot have answered input that it has not read; without time left the wait ends as a time-out.
      const timeoutMs = Math.max(0, deadline - clock.now())
      const ending = await waitFor(clock, session, { conditions, since: moment.since, timeoutMs }, context)
      const budget = { secrets: secretsFor(engine, context) }
      const seen = await observeEffect(moment, { ending, budget, notes: [noteOf(result)] })
      return { sent: true as const, keys: input.keys, sequences, ...seen }
    })
  return typing(engine, session, context, pressed)
}

/** Keys after an Escape wait a moment, which the session does; an interrupt key is sent alone, so that it can overtake. */
async function press(session: Session, presses: readonly Uint8Array[], typist: Typist): Promise<WriteResult> {
  let whole: WriteResult = { result: 'written' }
  for (const group of groups(presses)) {
    const result = await session.keyboard.write(Buffer.concat(group), typist)
    if (result.result !== 'written') whole = result
  }
  return whole
}

/** Ctrl+C, ctrl+Z and ctrl+\\. */
const interrupts = new Set([0x03, 0x1a, 0x1c])
const escapeByte = 0x1b

function groups(presses: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const result: Uint8Array[][] = []
  let open: Uint8Array[] | null = null
  for (const key of presses) {
    const single = key.length === 1 ? (key[0] ?? 0) : 0
    if (open === null || interrupts.has(single)) {
      open = []
      result.push(open)
    }
    open.push(key)
    if (interrupts.has(single) || single === escapeByte) open = null
  }
  return result
}
