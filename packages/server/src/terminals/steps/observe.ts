/**
 * What a call has changed, and whose turn it is when it ends: the text since it began from line-wise programs, the rows
 * that changed from full-screen programs.
 */

import type { ScreenPicture } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { defined, type Offset } from '@agentpty/protocol'
import type { Ending, Observation } from '@agentpty/protocol/call'
import type { Verdict } from '@agentpty/protocol/session'
import { countInvalid } from './count-invalid.ts'
import { type Budget, readText, type TextSlice, type TypedRange } from './read-text.ts'
import { changedRows, paintedRows } from './screen-change.ts'
import { commandExitCode, verdictOf } from './verdict-fields.ts'

/** How long (ms) a fresh verdict may take; a program that has settled shows it within a few samples. */
const freshVerdictMs = 15
const shortVerdictMs = 10
/** A shell at its prompt shows that at once; on a loaded machine, or right after a restart, a little later. */
export const promptVerdictMs = 250
/**
 * For a shell whose marks say that it is at its prompt: only the facts are still to come, and a busy machine may delay
 * them.
 */
export const markedPromptVerdictMs = 2_000

/**
 * Whose turn it is when a call ends: the verdict that ended its wait. A wait for anything but the turn may end
 * a moment before the prompt is back: a short wait for a fresh verdict saves the caller another call.
 */
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
