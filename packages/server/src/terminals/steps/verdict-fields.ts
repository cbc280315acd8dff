/** A verdict, and the command that ended, as the fields of a result. */

import type { FinishedCommand } from '@agentpty/engine/marks'
import type { Session } from '@agentpty/engine/session'
import { defined, type Offset } from '@agentpty/protocol'
import type { Observation } from '@agentpty/protocol/call'
import type { Verdict } from '@agentpty/protocol/session'
import { type PersonsWork, personOf } from '../../needs/index.ts'

export type VerdictFields = Pick<
  Observation,
  'state' | 'kind' | 'confidence' | 'needs' | 'question' | 'evidence' | 'exitCode' | 'signal' | 'takenBy' | 'handedBack'
>

/**
 * A verdict as the fields of a result. Why is said only where it is not plain. A program that has ended since the verdict
 * has written more since then as well: whoever learns of its end must have all of its output.
 */
export function verdictOf(session: Pick<Session, 'exit'> & PersonsWork, verdict: Verdict): VerdictFields {
  const { exit } = session
  if (verdict.state === 'exited' && exit !== null) {
    return defined({
      state: 'exited',
      exitCode: exit.code ?? undefined,
      signal: exit.signal ?? undefined,
      ...personOf(session),
    })
  }
  const unsure = verdict.state === 'busy' || verdict.confidence === 'low' || verdict.confidence === 'medium'
  return defined({
    state: verdict.state,
    kind: verdict.kind ?? undefined,
    confidence: verdict.state === 'ready' ? verdict.confidence : undefined,
    needs: verdict.needs ?? undefined,
    question: verdict.question ?? undefined,
    evidence: unsure ? [...verdict.evidence] : undefined,
    ...personOf(session),
  })
}

/** The output that a result is about: from `since` on, and before `until`. */
export interface OutputRange {
  readonly since: Offset
  readonly until: Offset
}

/** Exit code of the shell command that ended last in the range. */
export function commandExitCode(session: Session, range: OutputRange): { exitCode?: number } {
  const exitCode = finishedIn(session, range)?.exitCode ?? null
  return exitCode === null ? {} : { exitCode }
}

/** The shell command that ended last in the range; more may have ended since, which is for the next result. */
export function finishedIn({ commands }: Session, { since, until }: OutputRange): FinishedCommand | null {
  const last = commands.commands.findLast(({ outputEnd }) => outputEnd < until)
  return last !== undefined && last.outputEnd >= since ? last : null
}
