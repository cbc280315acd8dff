import type { Session } from '@agentpty/engine/session'
import { checkPattern, type LinePattern } from '@agentpty/engine/waits'
import { defined, largeAnswerBytes, outputBytesDefault, wholeCharacters } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Verdict } from '@agentpty/protocol/session'
import type { VerbInput, WaitedTerminal } from '@agentpty/protocol/verbs'
import { type Handler, secretsFor } from '../../call/index.ts'
import { findHits } from '../steps/find-hits.ts'
import { findLines } from '../steps/find-lines.ts'
import { maskBytes } from '../steps/mask-lines.ts'
import { commandExitCode, countInvalid, turnForLargeAnswer, verdictAfter, verdictOf } from '../steps/observe.ts'
import { type RowsPiece, readRows } from '../steps/read-rows.ts'
import { readText } from '../steps/read-text.ts'
import { conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

type ReadInput = VerbInput<'read'>

export const read: Handler<'read'> = async (engine, input, context) => {
  const session = engine.host.find(input.terminalId)
  if (input.find !== undefined) checkPattern(input.find)
  const conditions = conditionsOf(input, 'none')
  const since = input.since ?? session.log.start
  const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs: waitMs(input, context) }, context)
  const verdict = await verdictAfter(session, ending)
  if ((input.maxBytes ?? 0) > largeAnswerBytes) await turnForLargeAnswer(context)
  const text = await textOf(session, input, { secrets: secretsFor(engine, context), signal: context.signal })
  return defined({
    outcome: ending === null || ending.outcome === 'cancelled' ? undefined : ending.outcome,
    ...text,
    // Counting takes as long as the search, for a number that has nothing to do with the lines.
    invalidBytes: text.hits ? undefined : await countInvalid(session, text.rows?.from ?? since, text.cursor),
    note:
      since > text.cursor ? `since ${since} is beyond the end of the output, which is at ${text.cursor}.` : undefined,
    isActive: verdict.state !== 'exited',
    ...commandExitCode(session, { since, until: text.cursor }),
    ...verdictOf(session, verdict),
  })
}

interface ReadText {
  readonly output: string
  readonly cursor: number
  readonly missedBytes?: number
  readonly matches?: number
  readonly hits?: number[]
  readonly rows?: RowsPiece['rows']
}

interface Reader {
  readonly secrets: SecretValues | null
  readonly signal: AbortSignal | undefined
}

async function textOf(session: Session, input: ReadInput, { secrets, signal }: Reader): Promise<ReadText> {
  // Without an offset all output is asked for: what is no longer kept is missing.
  const { since = 0 } = input
  const until = Math.min(input.until ?? session.parsedTo, session.parsedTo)
  const { maxBytes = outputBytesDefault, maxLines } = input
  if (input.rows) {
    const piece = await readRows(session, { since: input.since, until, sought: soughtIn(input) }, secrets)
    return { ...piece, cursor: piece.rows.next }
  }
  if (input.raw) return rawText(session, { since, until, maxBytes }, secrets)
  const sought = soughtIn(input)
  const { limit, backward = false } = input
  if (sought !== null && limit !== undefined) {
    const range = { since, until, sought, backward, limit }
    const { output, hits, missedBytes } = await findHits(session, { ...range, maxBytes, secrets, signal })
    return { output, cursor: until, matches: hits.length, hits, ...missed(missedBytes) }
  }
  if (sought !== null) {
    const { output, matches, missedBytes } = await findLines(session, {
      since,
      until,
      sought,
      contextLines: input.contextLines ?? 0,
      maxBytes,
      secrets,
    })
    return { output, cursor: until, matches, ...missed(missedBytes) }
  }
  const slice = await readText(session, { since, until }, { maxBytes: input.maxBytes, maxLines, secrets })
  return { output: slice.output, cursor: slice.next, ...missed(slice.missedBytes) }
}

function soughtIn({ find, ignoreCase }: ReadInput): LinePattern | null {
  return find === undefined ? null : defined({ pattern: find, ignoreCase })
}

/** Raw output goes out in pieces that never cut a character; the cursor continues right after each. */
function rawText(
  session: Session,
  { since, until, maxBytes }: { readonly since: number; readonly until: number; readonly maxBytes: number },
  secrets: SecretValues | null,
): ReadText {
  const { bytes, from, missedBytes } = session.log.read({ since, until, maxBytes })
  const whole = wholeCharacters(bytes)
  const kept = whole.length === 0 ? bytes : whole
  const cursor = from + kept.length
  const shown = maskBytes({ session, since: from, until: cursor }, secrets)
  return { output: Buffer.from(shown).toString('utf8'), cursor, ...missed(missedBytes) }
}

function missed(missedBytes: number): { readonly missedBytes?: number } {
  return missedBytes > 0 ? { missedBytes } : {}
}

export const wait: Handler<'wait'> = async (engine, input, context) => {
  const sessions = input.terminalIds.map((id) => engine.host.find(id))
  const conditions = conditionsOf(input, 'ready')
  const timeoutMs = waitMs(input, context)
  const enough = new AbortController()
  const signal = AbortSignal.any([enough.signal, ...(context.signal ? [context.signal] : [])])
  const firstOnly = input.any ?? true
  const waits = sessions.map(async (session, index): Promise<WaitedTerminal> => {
    const since = input.since?.[index] ?? session.parsedTo
    try {
      const ending = await waitFor(engine.clock, session, { conditions, since, timeoutMs }, { ...context, signal })
      if (firstOnly && ending?.outcome !== 'timeout') enough.abort()
      const outcome = ending === null || ending.outcome === 'cancelled' ? 'met' : ending.outcome
      return { ...report(session, since, await verdictAfter(session, ending)), outcome }
    } catch (error) {
      // Another terminal was first; this one reports how it stands. A cancelled call fails as a whole.
      if (!enough.signal.aborted || context.signal?.aborted) throw error
      return report(session, since, session.turn().verdict)
    }
  })
  return { terminals: await Promise.all(waits) }
}

function report(session: Session, since: number, verdict: Verdict): WaitedTerminal {
  return {
    terminalId: session.info.id,
    cursor: session.parsedTo,
    ...commandExitCode(session, { since, until: session.parsedTo }),
    ...verdictOf(session, verdict),
  }
}
