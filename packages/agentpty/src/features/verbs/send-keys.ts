import type { CallContext } from '../../contracts/call/call-context.ts'
import type { WriteResult } from '../../contracts/ports.ts'
import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import { encodeKeys } from '../../engine/keys/encode-keys.ts'
import type { Session } from '../../engine/session/session.ts'
import { assertMarks, conditionsOf, observe, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { screenBefore } from './steps/screen-change.ts'
import { noteOf, writtenBy } from './steps/type-text.ts'

export async function sendKeys(
  engine: EngineContext,
  input: VerbInput<'sendKeys'>,
  context: CallContext,
): Promise<VerbOutput<'sendKeys'>> {
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  assertMarks(session, conditions)
  // Encoded before anything is pressed: an unknown key presses none.
  const presses = input.keys.map((key) => encodeKeys([key], session.modes))
  const before = await screenBefore(session)
  const since = session.parsedTo
  const release = session.watch()
  try {
    const deadline = engine.clock.now() + waitMs(input, context)
    const result = await writtenBy(engine.clock, press(session, presses), deadline)
    // What the program has not read cannot have been answered; without time left the wait says so.
    const timeoutMs = Math.max(0, deadline - engine.clock.now())
    const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs }, context)
    const note = noteOf(result)
    const seen = await observe(session, { since, ending, before })
    const sequences = presses.map((bytes) => Buffer.from(bytes).toString('utf8'))
    return { sent: true, keys: input.keys, sequences, ...seen, ...(note === undefined ? {} : { note }) }
  } finally {
    release()
  }
}

/** What follows an Escape waits a moment (the session sees to that); an interrupt key goes alone, so it can jump the queue. */
async function press(session: Session, presses: readonly Uint8Array[]): Promise<WriteResult> {
  let told: WriteResult = { result: 'written' }
  for (const group of groups(presses)) {
    const result = await session.write(Buffer.concat(group))
    if (result.result !== 'written') told = result
  }
  return told
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
