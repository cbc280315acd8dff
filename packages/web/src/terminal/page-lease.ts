/** The lease of the terminal that this page shows, as rooms read it. The page makes it longer while it is in front and used. */

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

/** After the last key or touch the page counts as used for so long. */
const usedForMs = 60_000

/** The epochs of what this page has taken, by terminal: whoever comes back in time still has it. */
const ownEpochs = new Map<string, number>()

/** The name under which the daemon lists what this page has taken; null before it has taken anything. */
export const ownHolder = signal<string | null>(null)

export function rememberTaken(terminalId: string, { epoch, holder }: Pick<Lease, 'epoch' | 'holder'>): void {
  ownEpochs.set(terminalId, epoch)
  ownHolder.value = holder
}

interface Known {
  readonly lease: Lease | null
  readonly isMine: boolean
  readonly news: string | null
  readonly endsAt: number
}

const nothingKnown: Known = { lease: null, isMine: false, news: null, endsAt: 0 }

export class PageLease {
  readonly #known = signal<Known>(nothingKnown)
  /** As the server has it; null while that is not known. */
  readonly lease = computed(() => this.#known.value.lease)
  readonly isMine = computed(() => this.#known.value.isMine)
  /** What was found in the line when it was taken. */
  readonly news = computed(() => this.#known.value.news)
  /** When it goes back by itself; milliseconds of the page's clock. */
  readonly endsAt = computed(() => this.#known.value.endsAt)
  readonly #own: OwnLease
  readonly #over = new AbortController()

  constructor({ terminalId, client, failed }: PageLeaseParts) {
    const isInFront = () => document.visibilityState === 'visible'
    this.#own = new OwnLease({
      clock: systemClock,
      client: () => client.peek(),
      changed: () => this.#changed(terminalId),
      epoch: ownEpochs.get(terminalId) ?? null,
      ...{ terminalId, failed, usedForMs, isInFront },
    })
    const { signal } = this.#over
    const used = () => this.#own.used()
    for (const type of ['keydown', 'pointerdown'] as const) document.addEventListener(type, used, { signal })
    document.addEventListener('visibilitychange', () => isInFront() && used(), { signal })
    // Before the connection is closed for a page that is put away.
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
        ? `The agent has typed this and not entered it: ${leftover}`
        : removed === undefined
          ? null
          : `Taken back of the agent’s line: ${removed}`
    this.#known.value = { lease, isMine, news, endsAt }
  }
}
