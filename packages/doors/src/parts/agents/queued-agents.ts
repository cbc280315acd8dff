/**
 * Agents that are started once others have finished. Each has its slot, or its name, from the beginning, and is found
 * by it before and after its start. One that cannot be started stays listed until it is removed.
 *
 * All doors with slots share them, so that a slot is never given twice.
 *
 * Each change is stored before anything follows from it. The next server continues with those that wait, and starts
 * none a second time.
 */

import { type BoundedMap, type Clock, isTermError, limitReached, type Stop, TermError } from '@agentpty/protocol'
import type { KeptQueuedAgent, QueuedAgentStore } from '@agentpty/protocol/agents'
import type { Origin } from '@agentpty/protocol/call'
import type { ToolCall } from '@agentpty/protocol/mcp'

/** Limit of queued agents; more are refused. */
const queuedMax = 200

export interface QueuedAgent
  extends Pick<KeptQueuedAgent, 'name' | 'slot' | 'workspace' | 'type' | 'dependencies' | 'origin'> {
  /** Why it was not started; null while it waits. */
  readonly failure: TermError | null
  /** Resolves to its terminal. Errors: why it was not started. */
  readonly started: Promise<string>
  readonly cancel: () => void
}

/** Waits for what it depends on, says that it begins, and resolves to the terminal. Errors: why it cannot. */
export type Starting = (kept: KeptQueuedAgent, own: Begin) => Promise<string>

export interface Begin {
  readonly queue: QueuedAgents
  /** Aborts when it is removed from the queue. */
  readonly signal: AbortSignal
  /** Called before its terminal is opened. Errors: a refusal where its caller may no longer start it; `machine_unfit`. */
  readonly begins: () => void
}

export interface QueuedAgentsOptions {
  readonly store: QueuedAgentStore
  /** Errors: they may start nothing any more. */
  readonly assertStill: (origin: Origin) => void
  /** For those of an earlier server. */
  readonly goOn: Starting
  /** Receives errors that concern no agent: a full disk. */
  readonly failed: (error: unknown) => void
}

/** Returns the names of its dependencies for lists. */
export function waitsFor({ dependencies }: Pick<QueuedAgent, 'dependencies'>): readonly string[] {
  return dependencies.map(({ shown }) => shown)
}

/** Without a store: queued agents are lost with the process. */
const keepsNothing: QueuedAgentsOptions = {
  store: { load: () => [], save: () => {}, drop: () => {} },
  assertStill: () => {},
  goOn: () => Promise.reject(new TermError('internal', 'Nothing was left.', '')),
  failed: () => {},
}

interface Entry extends QueuedAgent {
  kept: KeptQueuedAgent
  failure: TermError | null
}

export class QueuedAgents {
  readonly #options: QueuedAgentsOptions
  readonly #queued = new Map<string, Entry>()
  /** Names that are being given to terminals. */
  readonly #held = new Set<string>()
  #isClosed = false

  /** Continues with the agents that an earlier server has left. */
  constructor(options: QueuedAgentsOptions = keepsNothing) {
    this.#options = options
    for (const kept of options.store.load()) this.#put(kept, options.goOn)
  }

  /** Errors: `limit_reached`, `name_taken`, `machine_unfit`. */
  add(kept: KeptQueuedAgent, start: Starting): QueuedAgent {
    if (this.#queued.size >= queuedMax)
      throw limitReached(`${queuedMax} agents are queued.`, 'Take some back with kill_agent.')
    this.#assertFree(kept.name)
    this.#options.store.save(kept)
    return this.#put(kept, start)
  }

  all(): readonly QueuedAgent[] {
    return [...this.#queued.values()]
  }

  find(name: string): QueuedAgent | undefined {
    return this.#queued.get(name)
  }

  /** Whether the name belongs to a queued agent, or to one whose terminal is being opened. */
  readonly isReserved = (name: string): boolean => this.#queued.has(name) || this.#held.has(name)

  /** Keeps a name from others until it is let go: while its terminal is opened, say. Errors: `name_taken`. */
  hold(name: string): Stop {
    this.#assertFree(name)
    this.#held.add(name)
    return () => void this.#held.delete(name)
  }

  /** Errors: `machine_unfit`. */
  remove({ name, cancel }: QueuedAgent): void {
    this.#options.store.drop(name)
    this.#queued.delete(name)
    cancel()
  }

  /** Closes the queue because the server ends: the next server continues with agents that fail from now on. */
  close(): void {
    this.#isClosed = true
  }

  #assertFree(name: string): void {
    if (this.#queued.has(name))
      throw new TermError('name_taken', `An agent ${name} is queued already.`, 'Choose another name.')
    if (this.#held.has(name))
      throw new TermError('name_taken', `A terminal named ${name} is just being opened.`, 'Choose another name.')
  }

  #put(kept: KeptQueuedAgent, start: Starting): Entry {
    const controller = new AbortController()
    const { name, slot, workspace, type, dependencies, origin } = kept
    const failure = kept.failure && new TermError(kept.failure.code, kept.failure.message, kept.failure.hint)
    const begins = () => {
      this.#options.assertStill(origin)
      this.#keep(entry, { state: 'starting' })
    }
    const begin = () => start(entry.kept, { queue: this, signal: controller.signal, begins })
    // Only once all that an earlier server has left are there: they wait for one another.
    const started = failure === null ? Promise.resolve().then(begin) : Promise.reject(failure)
    const known = { name, slot, workspace, type, dependencies, origin }
    const entry: Entry = { ...known, kept, failure, started, cancel: () => controller.abort() }
    this.#queued.set(name, entry)
    if (failure === null) this.#settle(entry)
    else started.catch(() => undefined)
    return entry
  }

  #settle(entry: Entry): void {
    const { name } = entry
    const over = entry.started.then(
      () => {
        if (this.#queued.get(name) !== entry) return
        this.#queued.delete(name)
        this.#options.store.drop(name)
      },
      (error: unknown) => {
        if (this.#isClosed || this.#queued.get(name) !== entry) return
        entry.failure = isTermError(error) ? error : new TermError('internal', String(error), '')
        const { code, message, hint } = entry.failure
        this.#keep(entry, { state: 'failed', failure: { code, message, hint } })
      },
    )
    over.catch((error: unknown) => this.#options.failed(error))
  }

  #keep(entry: Entry, change: Partial<KeptQueuedAgent>): void {
    const kept = { ...entry.kept, ...change }
    this.#options.store.save(kept)
    entry.kept = kept
  }
}

/** A call of one of termtile's tools, with what the door keeps. */
export interface AgentCall extends ToolCall {
  readonly clock: Clock
  readonly queue: QueuedAgents
  /** The lines that `read_from_agent` returned last, by terminal. */
  readonly lastRead: BoundedMap<string, readonly string[]>
}
