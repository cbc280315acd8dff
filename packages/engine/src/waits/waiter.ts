import type { Clock, Millis, Offset, Stop } from '@agentpty/protocol'
import type { Condition, Ending } from '@agentpty/protocol/call'
import { isAtLeast, type Verdict } from '@agentpty/protocol/session'
import type { TurnAnswer } from '../turn/judge-turn.ts'
import { Search, type SearchLog } from './search.ts'

interface Searches {
  /** Not all output has been searched: {@link SearchesOptions.again} is called. */
  readonly isBusy: () => boolean
  readonly found: (condition: Condition, log: SearchLog, end: Offset, echoes: boolean) => boolean
}

interface SearchesOptions {
  readonly since: Offset
  readonly typed: string
  /** Called when a new check may give another result. */
  readonly again: () => void
}

/** The searches that a wait's text and pattern conditions need, each remembering how far it has searched. */
export function searchesFor(conditions: readonly Condition[], options: SearchesOptions): Searches {
  const searches = new Map<Condition, Search>()
  for (const condition of conditions) {
    if (condition.kind !== 'text' && condition.kind !== 'pattern') continue
    searches.set(condition, new Search({ ...options, find: condition }))
  }
  return {
    isBusy: () => [...searches.values()].some((search) => search.isBusy),
    found: (condition, log, end, echoes) => searches.get(condition)?.found(log, end, echoes) ?? false,
  }
}

export interface WaitView {
  readonly exited: boolean
  readonly since: Offset
  /** Output up to here has been seen by every view of the log. */
  readonly parsedTo: Offset
  readonly lastOutputAt: Millis
  readonly lastChangeAt: Millis
  /** Log offset at which the last finished shell command ended; null when none has. */
  readonly lastCommandEnd: Offset | null
  readonly turn: () => Pick<TurnAnswer, 'verdict' | 'recheckAt'>
  readonly found: (condition: Condition) => boolean
  /** Some of the output has not been searched yet; it is checked again when it has. */
  readonly isSearching: () => boolean
}

export type Evaluation =
  | { readonly ending: Ending }
  /** Check again when something happens, at the latest then. */
  | { readonly ending: null; readonly recheckAt: Millis }

interface Checked {
  readonly met: boolean
  readonly recheckAt: Millis
  /** The verdict, for a condition that needs it. */
  readonly verdict?: Verdict
}

/** Has the wait ended? Pure: takes conditions and a view of the session, returns an ending or the time to check again. */
export function evaluate(conditions: readonly Condition[], view: WaitView, now: Millis, deadline: Millis): Evaluation {
  let recheckAt = deadline
  let verdict: Verdict | undefined
  for (const condition of conditions) {
    const checked = check(condition, view, now)
    verdict ??= checked.verdict
    if (checked.met) return { ending: { outcome: 'met', by: condition.kind, verdict: verdict ?? view.turn().verdict } }
    recheckAt = Math.min(recheckAt, checked.recheckAt)
  }
  if (view.exited && (now >= deadline || !view.isSearching()))
    return { ending: { outcome: 'exited', verdict: view.turn().verdict } }
  if (now >= deadline) return { ending: { outcome: 'timeout', verdict: verdict ?? view.turn().verdict } }
  return { ending: null, recheckAt }
}

function check(condition: Condition, view: WaitView, now: Millis): Checked {
  switch (condition.kind) {
    case 'exit':
      return only(view.exited)
    case 'output':
      return only(view.parsedTo > view.since)
    case 'command':
      return only(view.lastCommandEnd !== null && view.lastCommandEnd >= view.since)
    case 'text':
    case 'pattern':
      return only(view.found(condition))
    case 'quiet':
      return after(view.lastOutputAt + condition.ms, now)
    case 'stable':
      return after(view.lastChangeAt + condition.ms, now)
    case 'ready': {
      const { verdict, recheckAt } = view.turn()
      const met = verdict.state === 'ready' && isAtLeast(verdict.confidence, condition.confidence)
      return { met, recheckAt: recheckAt ?? Number.POSITIVE_INFINITY, verdict }
    }
  }
}

function only(met: boolean): Checked {
  return { met, recheckAt: Number.POSITIVE_INFINITY }
}

function after(at: Millis, now: Millis): Checked {
  return { met: now >= at, recheckAt: at }
}

interface WaiterOptions {
  readonly clock: Clock
  readonly evaluate: (now: Millis) => Evaluation
  readonly signal: AbortSignal | undefined
  /** Gets a function that cancels the wait. */
  readonly cancelWith?: ((cancel: () => void) => void) | undefined
  /** Called once, right before `ending` resolves. */
  readonly settled: (waiter: Waiter) => void
}

/** One wait in flight. It settles exactly once: by a condition, the exit, the deadline or its caller going away. */
export class Waiter {
  readonly ending: Promise<Ending>
  readonly #options: WaiterOptions
  readonly #onAbort = () => this.#settle({ outcome: 'cancelled' })
  #resolve: (ending: Ending) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #cancelTimer: Stop = () => {}
  #timerAt: Millis = Number.POSITIVE_INFINITY
  #isSettled = false

  constructor(options: WaiterOptions) {
    this.#options = options
    this.ending = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    options.cancelWith?.(this.#onAbort)
    if (options.signal?.aborted) this.#onAbort()
  }

  /** Something may have changed. */
  recheck(): void {
    if (this.#isSettled) return
    try {
      const evaluation = this.#options.evaluate(this.#options.clock.now())
      if (evaluation.ending !== null) this.#settle(evaluation.ending)
      else this.#recheckAt(evaluation.recheckAt)
    } catch (error) {
      // A condition that cannot be evaluated (a pattern that never ends) fails its own call and no other.
      this.#finish()
      this.#reject(error)
    }
  }

  /** Its session goes away: nothing is reported any more. */
  abandon(): void {
    if (!this.#isSettled) this.#finish()
  }

  /** A timer that is due before stays: to check once more costs less than a timer for each piece of news. */
  #recheckAt(at: Millis): void {
    if (this.#timerAt <= at) return
    this.#cancelTimer()
    this.#timerAt = at
    this.#cancelTimer = this.#options.clock.callAt(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.recheck()
    })
  }

  #settle(ending: Ending): void {
    if (this.#isSettled) return
    this.#finish()
    this.#resolve(ending)
  }

  #finish(): void {
    this.#isSettled = true
    this.#cancelTimer()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#options.settled(this)
  }
}
