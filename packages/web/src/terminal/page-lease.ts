/** The lease of the shown terminal, for the views. The page extends it while it is visible and in use. */

import { type Lease, OwnLease } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'

export interface PageLeaseParts {
  readonly terminalId: string
  /** Null while there is no connection. */
  readonly client: ReadonlySignal<WireClient | null>
  readonly failed: (error: unknown) => void
}

/** The time for which the page counts as used after the last key or touch. */
const usedForMs = 60_000

/** The epochs of the leases that this page has taken, by terminal. They let it resume a lease in time. */
const ownEpochs = new Map<string, number>()

/** The name under which the daemon lists this page as the holder; null before it has taken any lease. */
export const ownHolder = signal<string | null>(null)

export function rememberTaken(terminalId: string, { epoch, holder }: Pick<Lease, 'epoch' | 'holder'>): void {
  ownEpochs.set(terminalId, epoch)
  ownHolder.value = holder
}

interface LeaseView {
  readonly lease: Lease | null
  readonly isMine: boolean
  readonly news: string | null
  readonly endsAt: number
}

const initialView: LeaseView = { lease: null, isMine: false, news: null, endsAt: 0 }

export class PageLease {
  readonly #view = signal<LeaseView>(initialView)
  /** The lease as the server reports it; null while unknown. */
  readonly lease = computed(() => this.#view.value.lease)
  readonly isMine = computed(() => this.#view.value.isMine)
  /** The agent's input that was found in the line at the time of the take-over. */
  readonly news = computed(() => this.#view.value.news)
  /** The time of its automatic return, in milliseconds of the page's clock. */
  readonly endsAt = computed(() => this.#view.value.endsAt)
  readonly #own: OwnLease
  readonly #over = new AbortController()

  constructor({ terminalId, client, failed }: PageLeaseParts) {
    const isInFront = () => document.visibilityState === 'visible'
    this.#own = new OwnLease({
      clock: systemClock,
      client: () => client.peek(),
      changed: () => this.#changed(terminalId),
      epoch: ownEpochs.get(terminalId) ?? null,
      terminalId,
      failed,
      usedForMs,
      isInFront,
    })
    const { signal } = this.#over
    const used = () => this.#own.used()
    for (const type of ['keydown', 'pointerdown'] as const) document.addEventListener(type, used, { signal })
    document.addEventListener('visibilitychange', () => isInFront() && used(), { signal })
    // Runs before the browser closes the connection of a page put into its cache.
    addEventListener('pagehide', () => void this.giveBack(), { signal, capture: true })
  }

  seen(lease: Lease): void {
    this.#own.seen(lease)
  }

  toggle(): Promise<void> {
    return this.#own.toggle()
  }

  take(): Promise<void> {
    return this.#own.take()
  }

  giveBack(): Promise<void> {
    return this.#own.giveBack()
  }

  dispose(): void {
    this.#over.abort()
    this.#own.dispose()
  }

  #changed(terminalId: string): void {
    const { lease, isMine, epoch, found, endsAt } = this.#own
    if (epoch === null) ownEpochs.delete(terminalId)
    else if (!isMine || lease === null) ownEpochs.set(terminalId, epoch)
    else rememberTaken(terminalId, lease)
    const { removed, leftover } = found ?? {}
    const news =
      leftover !== undefined
        ? `The agent has typed this without Enter: ${leftover}`
        : removed === undefined
          ? null
          : `Removed from the agent’s line: ${removed}`
    this.#view.value = { lease, isMine, news, endsAt }
  }
}
