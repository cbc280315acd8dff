/**
 * Agents that are to be started once others have finished. They are kept as long as the daemon lives; each has its slot, or its name, from
 * the beginning, by which it is found before and after its start. One that cannot be started stays listed until it is taken back.
 */

import { isTermError, TermError } from '../../contracts/errors.ts'

/** Who waits beyond this is refused. */
const queuedMax = 200

export interface QueuedAgent {
  /** The name of its terminal, once there is one; until then it is its id. */
  readonly name: string
  readonly slot: number | null
  readonly workspace: string | null
  readonly type: string
  /** Who has queued it. */
  readonly caller: string
  /** Names of what it waits for. */
  readonly waitsFor: readonly string[]
  /** Why it was not started; null while it waits. */
  readonly failure: TermError | null
  /** Resolves to its terminal. Errors: why it was not started. */
  readonly started: Promise<string>
  readonly cancel: () => void
}

type Entry = Omit<QueuedAgent, 'started' | 'cancel' | 'failure'>

export class QueuedAgents {
  readonly #queued = new Map<string, QueuedAgent & { failure: TermError | null }>()

  /** Errors: `limit_reached`, `name_taken`. */
  add(entry: Entry, start: (signal: AbortSignal) => Promise<string>): QueuedAgent {
    if (this.#queued.size >= queuedMax)
      throw new TermError('limit_reached', `${queuedMax} agents are queued.`, 'Take some back with kill_agent.')
    if (this.#queued.has(entry.name))
      throw new TermError('name_taken', `An agent ${entry.name} is queued already.`, 'Choose another name.')
    const controller = new AbortController()
    const started = start(controller.signal)
    const queued = { ...entry, failure: null as TermError | null, started, cancel: () => controller.abort() }
    this.#queued.set(entry.name, queued)
    started.then(
      () => this.#queued.delete(entry.name),
      (error: unknown) => {
        queued.failure = isTermError(error) ? error : new TermError('internal', String(error), '')
      },
    )
    return queued
  }

  all(): readonly QueuedAgent[] {
    return [...this.#queued.values()]
  }

  find(name: string): QueuedAgent | undefined {
    return this.#queued.get(name)
  }

  remove(queued: QueuedAgent): void {
    queued.cancel()
    this.#queued.delete(queued.name)
  }
}
