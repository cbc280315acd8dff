/**
 * Finds a text in all kept output of one terminal. The daemon searches from an offset to the nearest matching line, which is shown
 * immediately. The lines are counted afterwards. A new search ends the one before it.
 */

import { isTermError } from '@agentpty/protocol'
import type { WireClient } from '@agentpty/protocol/wire'
import { signal } from '@preact/signals'
import type { ScrollBack } from '../scroll-back/scroll-back.ts'
import { type Stop, systemClock } from '../system-clock.ts'
import { type FindQuery, type FindStatus, faultIn, soughtIn } from './find-query.ts'
import type { FindDirection } from './find-state.ts'

export interface FinderParts {
  readonly client: () => WireClient | null
  readonly terminalId: string
  readonly scrollBack: ScrollBack
}

/** The bound of the daemon. More lines are shown as `10,000+`. */
const countedMax = 10_000
/** The text of a found line is not needed. */
const maxBytes = 256
/** A held key repeats faster than matches are shown. When it is released, only this many more steps follow. */
const stepsMax = 4
/** Time (ms) between two counts while output arrives. */
const recountMs = 1_000

/** A part of the output; without an offset, up to its beginning or end. */
interface SearchedRange {
  readonly since?: number
  readonly until?: number
}

export class Finder {
  readonly status = signal<FindStatus>({ kind: 'idle' })
  readonly #parts: FinderParts
  #over = new AbortController()
  #query: FindQuery | null = null
  /** Lines that begin before this offset are the next ones; null: all. It stays while the person types. */
  #origin: number | null = null
  #current: number | null = null
  /** The offsets of the matching lines, the newest first. */
  #hits: readonly number[] = []
  /** The end of the output that was counted; null before the first count. */
  #countedTo: number | null = null
  /** Steps that wait for the one before them. */
  #steps: FindDirection[] = []
  #stopRecount: Stop | null = null

  constructor(parts: FinderParts) {
    this.#parts = parts
  }

  /** Shows the first match above the rows that were visible, and marks all. */
  async search(query: FindQuery): Promise<void> {
    const signal = this.#restart()
    this.#query = query
    this.#current = null
    this.#hits = []
    this.#countedTo = null
    this.#steps = []
    const message = faultIn(query)
    if (query.text === '' || message !== null) {
      this.#parts.scrollBack.seek(null)
      this.status.value = message === null ? { kind: 'idle' } : { kind: 'failed', message }
      return
    }
    this.status.value = { kind: 'searching' }
    await this.#run(signal, async () => {
      const origin = this.#origin ?? (await this.#parts.scrollBack.visibleEnd())
      this.#origin = origin
      this.#parts.scrollBack.seek(soughtIn(query))
      await this.#show(await this.#nearest('next', origin, signal), signal)
      await this.#count(signal)
    })
  }

  /** Leads to the next match, from the beginning on to the newest again. */
  async step(direction: FindDirection): Promise<void> {
    if (this.#current === null) {
      if (this.#query !== null) await this.search(this.#query)
      return
    }
    if (this.#steps.length >= stepsMax) return
    this.#steps.push(direction)
    if (this.#steps.length > 1) return
    const { signal } = this.#over
    const steps = this.#steps
    await this.#run(signal, async () => {
      for (let next = steps[0]; next !== undefined && !signal.aborted; next = steps[0]) {
        const from = next === 'next' ? this.#current : (this.#current ?? 0) + 1
        await this.#show(await this.#nearest(next, from, signal), signal)
        steps.shift()
      }
    })
    steps.length = 0
  }

  /** Counts new lines soon, because the output has grown. */
  grown(): void {
    if (this.#stopRecount !== null || this.#countedTo === null) return
    this.#stopRecount = systemClock.callAfter(recountMs, () => {
      this.#stopRecount = null
      const { signal } = this.#over
      void this.#run(signal, () => this.#count(signal))
    })
  }

  close(): void {
    this.#restart()
    this.#parts.scrollBack.seek(null)
  }

  #restart(): AbortSignal {
    this.#over.abort()
    this.#over = new AbortController()
    this.#stopRecount?.()
    this.#stopRecount = null
    return this.#over.signal
  }

  async #run(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!signal.aborted)
        this.status.value = { kind: 'failed', message: isTermError(error) ? error.message : String(error) }
    }
  }

  /** The nearest matching line, or else the farthest on the other side. Null if there is none. */
  async #nearest(direction: FindDirection, from: number | null, signal: AbortSignal): Promise<number | null> {
    const backward = direction === 'next'
    const before = from === null ? {} : { until: from }
    const after = from === null ? {} : { since: from }
    const [first] = (await this.#read({ ...(backward ? before : after) }, { backward, limit: 1 }, signal)).hits
    if (first !== undefined || from === null) return first ?? null
    const [other] = (await this.#read({ ...(backward ? after : before) }, { backward, limit: 1 }, signal)).hits
    return other ?? null
  }

  async #show(offset: number | null, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    if (offset === null) {
      this.#current = null
      this.status.value = { kind: 'missing' }
      return
    }
    this.#current = offset
    // The next search begins with this line.
    this.#origin = offset + 1
    this.#report()
    await this.#parts.scrollBack.showHit(offset)
  }

  async #count(signal: AbortSignal): Promise<void> {
    if (this.#current === null || signal.aborted) return
    const since = this.#countedTo
    const limits = { backward: true, limit: countedMax }
    const { hits, cursor } = await this.#read(since === null ? {} : { since }, limits, signal)
    if (signal.aborted) return
    this.#hits = [...hits, ...this.#hits].slice(0, countedMax)
    this.#countedTo = cursor
    this.#report()
  }

  #report(): void {
    const at = this.#current === null ? -1 : this.#hits.indexOf(this.#current)
    const isCounted = this.#countedTo !== null
    this.status.value = {
      kind: 'found',
      place: at < 0 ? null : at + 1,
      count: isCounted ? Math.max(1, this.#hits.length) : null,
      isMore: this.#hits.length >= countedMax,
    }
  }

  async #read(
    range: SearchedRange,
    limits: { readonly backward: boolean; readonly limit: number },
    signal: AbortSignal,
  ) {
    const client = this.#parts.client()
    if (client === null || this.#query === null) return { hits: [], cursor: 0 }
    const { terminalId } = this.#parts
    const input = { terminalId, ...soughtIn(this.#query), maxBytes, ...range, ...limits } as const
    const { hits, cursor } = await client.call('read', input, { signal })
    if (hits === undefined) throw new Error('The daemon is older than this page. Reload the page.')
    return { hits, cursor }
  }
}
