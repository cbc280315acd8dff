/** The effect of a call and whose turn it is: the new text of line-wise programs, the changed rows of full-screen programs. */

import { countInvalidBytes } from '@agentpty/engine/log'
import type { FinishedCommand } from '@agentpty/engine/marks'
import type { ScreenPicture } from '@agentpty/engine/screen'
import { longTurns, type Session } from '@agentpty/engine/session'
import { defined, type Offset } from '@agentpty/protocol'
import type { CallContext, Ending, Observation } from '@agentpty/protocol/call'
import type { Verdict } from '@agentpty/protocol/session'
import { type PersonsWork, personOf } from '../../needs/index.ts'
import { type Budget, readText, type TextSlice, type TypedRange } from './read-text.ts'
import { changedRows, paintedRows } from './screen-change.ts'
import { cancelled } from './wait-in-call.ts'

/** How long (ms) a fresh verdict may take; a program that has settled shows it within a few samples. */
const freshVerdictMs = 15
const shortVerdictMs = 10
/** A shell at its prompt shows that immediately; on a loaded machine, or right after a restart, a little later. */
export const promptVerdictMs = 250
/** For a shell whose marks say that it is at its prompt: only the facts are still to come, and a busy machine may delay them. */
export const markedPromptVerdictMs = 2_000

/** Whose turn it is when a call ends. A wait for something else may end before the prompt is back: a short wait saves another call. */
export async function verdictAfter(session: Session, ending: Ending | null): Promise<Verdict> {
  if (ending === null || ending.outcome === 'cancelled') return verdictNow(session)
  const isMidway = ending.outcome === 'met' && ending.verdict.state === 'busy'
  if (!isMidway) return ending.verdict
  return session.freshVerdict(ending.by === 'command' ? promptVerdictMs : shortVerdictMs)
}

/** Whose turn it is now, for a caller that waits for nothing. */
export function verdictNow(session: Session): Promise<Verdict> {
  return session.freshVerdict(session.commands.atPrompt ? promptVerdictMs : freshVerdictMs)
}

interface ObserveOptions {
  readonly since: Offset
  readonly typed?: string
  readonly ending: Ending | null
  /** The screen before the call, of a full-screen program. */
  readonly before: ScreenPicture | null
  readonly budget?: Budget
}

export async function observe(session: Session, options: ObserveOptions): Promise<Observation> {
  const { since, ending, before } = options
  const verdict = await verdictAfter(session, ending)
  const range = defined({ since, until: session.parsedTo, typed: options.typed })
  const slice = session.modes.alternateScreen
    ? await readScreenChange(session, before)
    : await readNormalScreen(session, range, options.budget ?? {})
  const outcome = ending === null || ending.outcome === 'cancelled' ? {} : { outcome: ending.outcome }
  return defined({
    ...outcome,
    output: slice.output,
    cursor: slice.next,
    missedBytes: slice.missedBytes > 0 ? slice.missedBytes : undefined,
    invalidBytes: await countInvalid(session, since, slice.next),
    ...commandExitCode(session, { since, until: slice.next }),
    ...verdictOf(session, verdict),
  })
}

async function readScreenChange(session: Session, before: ScreenPicture | null) {
  const after = (await session.screen()).picture()
  return { output: changedRows(before, after), next: after.offset, missedBytes: 0 }
}

async function readNormalScreen(session: Session, range: TypedRange, budget: Budget): Promise<TextSlice> {
  const painted = await paintedRows(session, range.since, range.until)
  if (painted === 'text') return readText(session, range, budget)
  if (painted !== 'scrolled') return { output: painted.rows, next: range.until, missedBytes: 0 }
  const slice = await readText(session, range, budget)
  // The empty rows that a drawing program leaves above its last line are not output.
  return { ...slice, output: slice.output.replace(/^\n+/, '') }
}

// A verdict, and the command that ended, as the fields of a result.

type VerdictFields = Pick<
  Observation,
  | 'state'
  | 'kind'
  | 'confidence'
  | 'needs'
  | 'question'
  | 'evidence'
  | 'exitCode'
  | 'signal'
  | 'takenBy'
  | 'handedBack'
  | 'approval'
  | 'held'
>

/** Returns a verdict as result fields, with a reason where it is not plain. At a program's end the caller gets all of its output. */
export function verdictOf(session: Pick<Session, 'exit' | 'heldCalls'> & PersonsWork, verdict: Verdict): VerdictFields {
  const { exit } = session
  if (verdict.state === 'exited' && exit !== null) {
    return defined({
      state: 'exited',
      exitCode: exit.code ?? undefined,
      signal: exit.signal ?? undefined,
      ...personOf(session),
    })
  }
  const held = session.heldCalls.newest
  const unsure = verdict.state === 'busy' || verdict.confidence === 'low' || verdict.confidence === 'medium'
  return defined({
    state: verdict.state,
    kind: verdict.kind ?? undefined,
    confidence: verdict.state === 'ready' ? verdict.confidence : undefined,
    needs: verdict.needs ?? undefined,
    question: verdict.question ?? undefined,
    evidence: unsure && held === null ? [...verdict.evidence] : undefined,
    approval: held?.approvalId,
    held: held?.what,
    ...personOf(session),
  })
}

/** The output that a result is about: from `since` on, and before `until`. */
interface OutputRange {
  readonly since: Offset
  readonly until: Offset
}

/** Exit code of the shell command that ended last in the range. */
export function commandExitCode(session: Session, range: OutputRange): { exitCode?: number } {
  const exitCode = finishedIn(session, range)?.exitCode ?? null
  return exitCode === null ? {} : { exitCode }
}

/** The shell command that ended last in the range; more may have ended since, which is for the next result. */
function finishedIn({ commands }: Session, { since, until }: OutputRange): FinishedCommand | null {
  const last = commands.commands.findLast(({ outputEnd }) => outputEnd < until)
  return last !== undefined && last.outputEnd >= since ? last : null
}

/** Counts the bytes of a session's output that are not UTF-8. Undefined for none, so that the result has no field. */
export async function countInvalid(session: Session, since: Offset, until: Offset): Promise<number | undefined> {
  const isEnded = session.exit !== null
  return (await countInvalidBytes(session.log, { since, until, isEnded })) || undefined
}

// Large answers take turns with drawing, and wait for room: a caller that asks for a hundred and reads slowly gets one at a time.

/** Another client's command needs about ten turns of the event loop. It must not wait for a large answer in each of them. */
const turnsBetweenAnswers = 8

/** The large answers of all callers, in the order in which they were asked for. After each, the event loop turns for everything else. */
class AnswerTurns {
  #waiting: (() => void)[] = []
  #isCooling = false

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1 && !this.#isCooling) longTurns.wait(() => this.#begin())
    })
  }

  #begin(): void {
    this.#waiting.shift()?.()
    this.#isCooling = true
    this.#cool(turnsBetweenAnswers)
  }

  #cool(turns: number): void {
    longTurns.wait(() => {
      if (turns > 1) {
        this.#cool(turns - 1)
        return
      }
      this.#isCooling = false
      if (this.#waiting.length > 0) this.#begin()
    })
  }
}

/** One for all sessions of this process: they share its one thread. */
const answerTurns = new AnswerTurns()

const never = new AbortController().signal

/** Resolves when it is this call's turn. Errors: `cancelled` when the caller has gone meanwhile. */
export async function turnForLargeAnswer({ signal = never, room }: CallContext): Promise<void> {
  for (;;) {
    await answerTurns.turn()
    if (signal.aborted) throw cancelled()
    // Checked once it is our turn: the answers before this one are being sent by then.
    const waiting = room?.(signal) ?? null
    if (waiting === null) return
    await waiting
  }
}
