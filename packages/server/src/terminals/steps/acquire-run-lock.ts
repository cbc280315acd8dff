/** Acquires the lock of runs on a shell. Other runs wait until it is released, so each reports its own output and exit code. */

import type { Session } from '@agentpty/engine/session'
import { type Millis, type Stop, TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { type Typist, terminalVariable } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'
import { cancelled, reportProgress } from './wait-in-call.ts'

export interface RunLockWait {
  readonly typist: Typist
  /** The longest wait. */
  readonly timeoutMs: Millis
  readonly context: CallContext
}

/**
 * Waits until no other run has the shell; returns a function that releases it.
 *
 * Errors: `shell_busy` when it is not free in time, `cancelled`, `person_types`.
 */
export async function acquireRunLock(
  engine: EngineContext,
  session: Session,
  { typist, timeoutMs, context }: RunLockWait,
): Promise<Stop> {
  const { keyboard, info } = session
  const { runLock } = keyboard
  // The command of the other run may be what makes this call.
  if (runLock.isLocked && runsBelow(engine, session, context)) throw runsCaller(info.id)
  const { clock } = engine
  const begun = clock.now()
  const stopProgress = runLock.isLocked ? reportProgress(clock, begun, timeoutMs, context) : () => {}
  const isRefused = () => keyboard.isKeptOut(typist)
  const latest = begun + timeoutMs
  const result = await runLock.acquire({ latest, signal: context.signal, isRefused }).finally(stopProgress)
  switch (result.outcome) {
    case 'acquired':
      return result.release
    case 'cancelled':
      throw cancelled()
    case 'refused':
      keyboard.assertMayType(typist)
      throw heldByOther(info.id, `after ${timeoutMs} ms`)
    case 'timeout':
      throw heldByOther(info.id, `after ${timeoutMs} ms`)
    case 'full':
      throw heldByOther(info.id, 'and more wait for it than may wait')
  }
}

/** The caller runs in the terminal, or in one that was opened from there. */
function runsBelow({ host }: EngineContext, { info }: Session, { env }: CallContext): boolean {
  const own = host.allSessions.find((session) => session.info.id === env[terminalVariable])
  return own !== undefined && (own.info.id === info.id || own.info.ancestors.includes(info.id))
}

function runsCaller(id: string): TermError {
  const message = `The shell of ${id} runs another command, from which this call may come. Nothing was typed.`
  return new TermError('shell_busy', message, 'Leave out terminalId to run in a fresh terminal.')
}

function heldByOther(id: string, since: string): TermError {
  return new TermError(
    'shell_busy',
    `Another run still has the shell of ${id}, ${since}. Nothing was typed.`,
    'Leave out terminalId to run in a fresh terminal, wait with terminal_wait, or interrupt it with terminal_send_keys ["ctrl+c"].',
  )
}
