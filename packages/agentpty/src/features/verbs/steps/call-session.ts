/** The steps that verbs on a session share: wait within a call's limits, then say what changed. */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import { type Condition, type Ending, toConditions, type WaitFor } from '../../../contracts/call/conditions.ts'
import type { Observation } from '../../../contracts/call/observation.ts'
import { TermError } from '../../../contracts/errors.ts'
import { waitMsDefault, waitMsMax } from '../../../contracts/limits.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { Verdict } from '../../../contracts/session/verdict.ts'
import type { Offset } from '../../../contracts/units.ts'
import type { ScreenPicture } from '../../../engine/screen/screen.ts'
import type { Session } from '../../../engine/session/session.ts'
import { checkPattern } from '../../../engine/waits/bounded-pattern.ts'
import { type Budget, commandExitCode, readText, type TextSlice, type TypedRange, verdictOf } from './observe.ts'
import { changedRows, paintedRows } from './screen-change.ts'

/** A fresh verdict may take so long; a program that has settled shows it within a few samples. */
export const lookMs = 15
const shortLookMs = 10
/** A shell at its prompt shows it at once; on a loaded machine, or right after a restart, a little later. */
export const promptLookMs = 250
/** One whose marks say that it is at its prompt: only the facts are still to come, and somebody may keep us from reading them. */
export const markedPromptLookMs = 2_000

/** How often a waiting call tells that it still waits. */
const progressEveryMs = 2_000

export interface WaitInput {
  readonly waitFor?: WaitFor | undefined
  readonly waitForString?: string | undefined
  readonly waitForOutput?: boolean | undefined
  readonly waitTimeoutMs?: number | undefined
}

/** The conditions of a call. The named ones of older tools add to `waitFor`; the default holds only without any. */
export function conditionsOf(input: WaitInput, otherwise: WaitFor): readonly Condition[] {
  const named: Condition[] = []
  if (input.waitForString !== undefined) named.push({ kind: 'text', text: input.waitForString })
  if (input.waitForOutput) named.push({ kind: 'output' })
  const asked = input.waitFor === undefined ? [] : toConditions(input.waitFor)
  const conditions = [...named, ...asked]
  for (const condition of conditions) if (condition.kind === 'pattern') checkPattern(condition.pattern)
  return conditions.length > 0 || input.waitFor !== undefined ? conditions : toConditions(otherwise)
}

/** No call outlasts its client's patience, however long a wait was asked for. */
export function waitMs(input: WaitInput, context: CallContext): number {
  return Math.min(input.waitTimeoutMs ?? waitMsDefault, context.waitMsMax ?? waitMsMax)
}

export interface CallWait {
  readonly conditions: readonly Condition[]
  readonly since: Offset
  readonly typed?: string
  readonly timeoutMs: number
}

/** Waits, reporting progress. Errors: `cancelled` when the caller took its call back. */
export async function waitFor(
  clock: Clock,
  session: Session,
  wait: CallWait,
  context: CallContext,
  /** Is handed what ends the wait as the caller's own signal does. */
  cancelWith?: (cancel: () => void) => void,
): Promise<Ending | null> {
  if (wait.conditions.length === 0) return null
  assertMarks(session, wait.conditions)
  const begun = clock.now()
  const stopProgress = reportProgress(clock, begun, wait.timeoutMs, context)
  const { conditions, since } = wait
  const typed = wait.typed === undefined ? {} : { typed: wait.typed }
  try {
    const ending = await session.wait({
      conditions,
      since,
      ...typed,
      deadline: begun + wait.timeoutMs,
      ...{ signal: context.signal, cancelWith },
    })
    if (ending.outcome === 'cancelled') throw cancelled()
    return ending
  } finally {
    stopProgress()
  }
}

export function cancelled(): TermError {
  return new TermError(
    'cancelled',
    'The call was cancelled.',
    'The terminal goes on; call terminal_read to see where it is.',
  )
}

export function reportProgress(clock: Clock, begun: number, totalMs: number, { progress }: CallContext): () => void {
  if (progress === undefined) return () => {}
  let stop = () => {}
  const next = () => {
    stop = clock.callAt(clock.now() + progressEveryMs, () => {
      progress(clock.now() - begun, totalMs)
      next()
    })
  }
  next()
  return () => stop()
}

/** Waiting for a shell command in something that never tells of one would always end in a time-out. */
export function assertMarks({ info, commands }: Session, conditions: readonly Condition[]): void {
  if (info.shell === null && !commands.integrated) assertNoCommand(`${info.id} runs ${info.argv[0]}`, conditions)
}

/** The same of a program that is not started yet. Errors: `not_a_shell`. */
export function assertNoCommand(what: string, conditions: readonly Condition[]): void {
  if (conditions.length !== 1 || conditions[0]?.kind !== 'command') return
  throw new TermError(
    'not_a_shell',
    `${what}, not a shell that marks its commands.`,
    'Wait for "ready", "exit" or a text instead.',
  )
}

/**
 * Whose turn it is when a call ends: the verdict that ended its wait. A wait for something else than the turn ends in the
 * middle of things (the text came, the prompt is a moment away): a short look then saves the caller another call.
 */
export async function verdictAfter(session: Session, ending: Ending | null): Promise<Verdict> {
  if (ending === null || ending.outcome === 'cancelled') return session.lookAtTurn(lookMs)
  const isMidway = ending.outcome === 'met' && ending.by !== 'ready' && ending.by !== 'exit'
  if (!isMidway) return ending.verdict
  return session.lookAtTurn(ending.by === 'command' ? promptLookMs : shortLookMs)
}

export interface ObserveOptions {
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
  const range = { since, until: session.parsedTo, ...(options.typed === undefined ? {} : { typed: options.typed }) }
  const slice = session.modes.alternateScreen
    ? await readScreenChange(session, before)
    : await readNormalScreen(session, range, options.budget ?? {})
  const outcome = ending === null || ending.outcome === 'cancelled' ? {} : { outcome: ending.outcome }
  return {
    ...outcome,
    output: slice.output,
    cursor: slice.next,
    ...(slice.missedBytes > 0 ? { missedBytes: slice.missedBytes } : {}),
    ...commandExitCode(session, { since, until: slice.next }),
    ...verdictOf(session, verdict),
  }
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
  // The empty rows a painting program leaves above its last line are no output.
  return { ...slice, output: slice.output.replace(/^\n+/, '') }
}
