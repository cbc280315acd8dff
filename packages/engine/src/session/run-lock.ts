/**
 * The lock of runs on the shell of one session.
 *
 * One run at a time has it: from reading the prompt to the mark that ends the last of its lines. The others wait in the order of
 * their calls. A waiting run leaves the queue when it gets the lock, its time is over, its call is cancelled, or a person who
 * took the terminal over keeps it out. Once the program has ended, the run that has the lock ends, and so does each that follows it.
 * Input by other verbs does not need the lock.
 */

import {
  type Clock,
  canonicalLineBytesMax,
  type Exit,
  limitReached,
  type Millis,
  runsWaitingMax,
  type Stop,
  TermError,
  waitsPerSessionMax,
} from '@agentpty/protocol'
import type { SessionInfo } from '@agentpty/protocol/session'

export interface RunLockOptions {
  /** The run waits until then at the latest. */
  readonly latest: Millis
  readonly signal: AbortSignal | undefined
  /** The run may not type any more; checked whenever the lease of the terminal changes. */
  readonly isRefused: () => boolean
}

export type RunLockResult =
  /** `release` may be called more than once. */
  | { readonly outcome: 'acquired'; readonly release: Stop }
  | { readonly outcome: 'timeout' | 'cancelled' | 'refused' | 'full' }

interface WaitingRun {
  readonly isRefused: () => boolean
  readonly settle: (result: RunLockResult) => void
  /** Removes its timer and its listener. */
  readonly stop: Stop
}

export class RunLock {
  readonly #clock: Pick<Clock, 'callAt' | 'now'>
  /** In the order of their calls. */
  readonly #waiting = new Set<WaitingRun>()
  #isLocked = false

  constructor(clock: Pick<Clock, 'callAt' | 'now'>) {
    this.#clock = clock
  }

  /** A run has the lock. */
  get isLocked(): boolean {
    return this.#isLocked
  }

  /** Resolves when the run gets the lock, immediately where no other run has it, or leaves the queue without it. */
  async acquire({ latest, signal, isRefused }: RunLockOptions): Promise<RunLockResult> {
    if (signal?.aborted) return { outcome: 'cancelled' }
    if (!this.#isLocked) return this.#lock()
    if (this.#clock.now() >= latest) return { outcome: 'timeout' }
    if (this.#waiting.size >= runsWaitingMax) return { outcome: 'full' }
    return new Promise((resolve) => {
      const leave = (result: RunLockResult) => {
        this.#waiting.delete(run)
        run.stop()
        resolve(result)
      }
      const stopTimer = this.#clock.callAt(latest, () => leave({ outcome: 'timeout' }))
      const onAbort = () => leave({ outcome: 'cancelled' })
      signal?.addEventListener('abort', onAbort, { once: true })
      const stop = () => {
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
      }
      const run: WaitingRun = { isRefused, settle: leave, stop }
      this.#waiting.add(run)
    })
  }

  /** The lease of the terminal has changed. */
  recheck(): void {
    for (const run of this.#waiting) if (run.isRefused()) run.settle({ outcome: 'refused' })
  }

  /** The engine leaves the session: waiting runs are left to the broken connections of their callers. */
  abandon(): void {
    for (const run of this.#waiting) run.stop()
    this.#waiting.clear()
  }

  #lock(): RunLockResult {
    this.#isLocked = true
    let isOver = false
    const release = () => {
      if (isOver) return
      isOver = true
      this.#isLocked = false
      const [next] = this.#waiting
      next?.settle(this.#lock())
    }
    return { outcome: 'acquired', release }
  }
}

// The errors with which a session refuses a request.

/** The error for input to a program that has ended. */
export function sessionExited(id: string, { code, signal }: Exit): TermError {
  return new TermError(
    'session_exited',
    `The program of ${id} has ended (${signal ?? `exit code ${code}`}).`,
    'Read its output with terminal_read, or open a new terminal.',
  )
}

/** The terminal keeps only the beginning of a line, and would drop the rest silently. */
export function lineTooLong(id: string, bytes: number): TermError {
  return new TermError(
    'line_too_long',
    `The program of ${id} reads lines, and its terminal would keep ${canonicalLineBytesMax} of the ${bytes} bytes of this one.`,
    'Nothing was typed. Break the line, or write the text to a file and name that.',
  )
}

/** The error for input while another party has the keyboard. */
export function leaseRefusal({ id, lease }: Pick<SessionInfo, 'id' | 'lease'>, isPerson: boolean): TermError {
  if (isPerson)
    return new TermError(
      'person_types',
      `Only agents may type into ${id} now.`,
      `Take it over first: agentpty take ${id}`,
    )
  const { mayType, holder, reason } = lease
  if (mayType !== 'person')
    return new TermError(
      'person_types',
      `A person has had ${id} since this call began, so the rest of it was not typed.`,
      'Look with terminal_screenshot what is there now, then go on.',
    )
  return new TermError(
    'person_types',
    `A person has taken ${id} over (${holder}${reason === null ? '' : `: ${JSON.stringify(reason)}`}). Nothing was typed.`,
    'Do something else and try again, or call again with ifTaken:"wait", which goes on once it is given back.',
  )
}

export function tooManyWaits(id: string): TermError {
  return limitReached(`${waitsPerSessionMax} waits on ${id} already.`, 'Let one of them end first.')
}
