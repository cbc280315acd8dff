import { encodeKeys } from '@agentpty/engine/keys'
import type { Session } from '@agentpty/engine/session'
import type { WriteResult } from '@agentpty/protocol'
import type { Typist } from '@agentpty/protocol/session'
import { type Handler, secretsFor } from '../../call/index.ts'
import { interact, observeEffect } from '../steps/interact.ts'
import { noteOf, writtenBy } from '../steps/type-text.ts'
import { typing } from '../steps/typist.ts'
import { assertMarks, conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

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

/**
 * Keys after an Escape wait a moment, which the session does; an interrupt key is sent alone, so that it can overtake.
 */
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
