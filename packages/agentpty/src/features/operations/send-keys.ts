import type { CallContext } from '../../contracts/operation.ts'
import type { OperationInput, OperationOutput } from '../../contracts/operations.ts'
import type { Clock, WriteResult } from '../../contracts/ports.ts'
import { encodeKeys } from '../../engine/keys/encode-keys.ts'
import type { Session } from '../../engine/session/session.ts'
import { conditionsOf, observe, screenBefore, waitFor, waitMs } from './steps/call-session.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { noteOf } from './steps/type-text.ts'

export async function sendKeys(
  engine: EngineContext,
  input: OperationInput<'sendKeys'>,
  context: CallContext,
): Promise<OperationOutput<'sendKeys'>> {
  const session = engine.host.find(input.terminalId)
  const conditions = conditionsOf(input, 'ready')
  // Encoded before anything is pressed: an unknown key presses none.
  const presses = input.keys.map((key) => encodeKeys([key], session.modes))
  const before = await screenBefore(session)
  const since = session.parsedTo
  const release = session.watch()
  try {
    const result = await press(engine.clock, session, presses)
    const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs: waitMs(input) }, context)
    const note = noteOf(result)
    const seen = await observe(session, { since, ending, before })
    return { sent: true, keys: input.keys, ...seen, ...(note === undefined ? {} : { note }) }
  } finally {
    release()
  }
}

/**
 * A lone Escape is told from the start of a longer key by the pause after it, so what follows one waits until the
 * program has taken it. The other keys go out together, but an interrupt key alone, so that it can jump the queue.
 */
async function press(clock: Clock, session: Session, presses: readonly Uint8Array[]): Promise<WriteResult> {
  let told: WriteResult = { result: 'written' }
  const all = groups(presses)
  for (const group of all) {
    const result = await session.write(Buffer.concat(group))
    if (result.result !== 'written') told = result
    if (isEscape(group.at(-1)) && group !== all.at(-1)) await escapePause(clock, session)
  }
  return told
}

function groups(presses: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const result: Uint8Array[][] = []
  let open: Uint8Array[] | null = null
  for (const key of presses) {
    const standsAlone = key.length === 1 && [0x03, 0x1a, 0x1c].includes(key[0] ?? 0)
    if (open === null || standsAlone) {
      open = [key]
      result.push(open)
    } else {
      open.push(key)
    }
    if (standsAlone || isEscape(key)) open = null
  }
  return result
}

function isEscape(key: Uint8Array | undefined): boolean {
  return key?.length === 1 && key[0] === 0x1b
}

/** Long enough for vim's and readline's own patience in a terminal that is not slow. */
const escapePauseMs = 60

async function escapePause(clock: Clock, session: Session): Promise<void> {
  const deadline = clock.now() + escapePauseMs
  await session.wait({ conditions: [{ kind: 'quiet', ms: escapePauseMs }], since: session.parsedTo, deadline })
}
