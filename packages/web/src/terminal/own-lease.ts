/**
 * The lease of the terminal that this page shows: taken, made longer while the page is in front and used, and given back. Nobody makes it
 * longer once the page is left, so it ends soon after that by itself.
 */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Lease } from '../../../agentpty/src/contracts/session/lease.ts'
import { attachedLeaseMs } from '../../../agentpty/src/contracts/session/lease-limits.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { type Stop, systemClock } from '../system-clock.ts'

export interface OwnLeaseParts {
  readonly terminalId: string
  /** Null while there is no connection. */
  readonly client: ReadonlySignal<WireClient | null>
  readonly failed: (error: unknown) => void
}

/** Since the last extension. */
const extendMs = attachedLeaseMs / 3
/** After the last key or click the page counts as used for so long. */
const usedMs = 60_000

/** The epochs of what this page has taken, by terminal: whoever comes back in time still has it. */
const ownEpochs = new Map<string, number>()

export function rememberTaken(terminalId: string, epoch: number): void {
  ownEpochs.set(terminalId, epoch)
}

export class OwnLease {
  /** As the server has it; null while that is not known. */
  readonly lease = signal<Lease | null>(null)
  /** What was found in the line when it was taken. */
  readonly news = signal<string | null>(null)
  /** When it goes back by itself; milliseconds of the page's clock. */
  readonly endsAt = signal(0)
  readonly isMine = computed(
    () => this.lease.value?.mayType === 'person' && this.lease.value.epoch === this.#ownEpoch.value,
  )
  readonly #parts: OwnLeaseParts
  readonly #ownEpoch = signal<number | null>(null)
  readonly #over = new AbortController()
  #usedAt = systemClock.now()
  #extendedAt = 0
  #stop: Stop = () => {}

  constructor(parts: OwnLeaseParts) {
    this.#parts = parts
    this.#ownEpoch.value = ownEpochs.get(parts.terminalId) ?? null
    const { signal } = this.#over
    const used = () => this.#used()
    for (const type of ['keydown', 'pointerdown'] as const) document.addEventListener(type, used, { signal })
    document.addEventListener('visibilitychange', used, { signal })
    addEventListener('pagehide', () => void this.giveBack(), { signal })
    this.#tick()
  }

  seen(lease: Lease): void {
    this.lease.value = lease
    if (this.isMine.value) {
      this.endsAt.value ||= systemClock.now() + Math.max(0, (lease.endsAt ?? 0) - systemClock.wall())
      return
    }
    this.news.value = null
    this.#own(null)
  }

  toggle(): Promise<void> {
    return this.isMine.value ? this.giveBack() : this.take()
  }

  async take(): Promise<void> {
    const client = this.#parts.client.value
    if (client === null) return
    const { terminalId } = this.#parts
    this.#extendedAt = systemClock.now()
    const isNew = !this.isMine.value
    try {
      const { lease, removed, leftover } = await client.call('take', { terminalId, forMs: attachedLeaseMs })
      this.#own(lease.epoch)
      this.lease.value = lease
      this.endsAt.value = this.#extendedAt + attachedLeaseMs
      if (!isNew) return
      if (removed !== undefined) this.news.value = `Taken back of the agent’s line: ${removed}`
      if (leftover !== undefined) this.news.value = `The agent has typed this and not entered it: ${leftover}`
    } catch (error) {
      this.#parts.failed(error)
    }
  }

  async giveBack(): Promise<void> {
    const client = this.#parts.client.value
    if (client === null || !this.isMine.value) return
    const { terminalId } = this.#parts
    const holder = this.lease.value?.holder ?? null
    try {
      const { lease } = await client.call('release', { terminalId, ...(holder === null ? {} : { holder }) })
      this.seen(lease)
    } catch (error) {
      // Its time ends it.
      this.#parts.failed(error)
    }
  }

  dispose(): void {
    this.#over.abort()
    this.#stop()
  }

  #own(epoch: number | null): void {
    this.#ownEpoch.value = epoch
    if (epoch === null) ownEpochs.delete(this.#parts.terminalId)
    else ownEpochs.set(this.#parts.terminalId, epoch)
  }

  #used(): void {
    this.#usedAt = systemClock.now()
    this.#extend()
  }

  #tick(): void {
    this.#stop = systemClock.callAfter(extendMs / 3, () => {
      this.#extend()
      this.#tick()
    })
  }

  #extend(): void {
    const now = systemClock.now()
    const isInFront = document.visibilityState === 'visible' && now - this.#usedAt < usedMs
    if (this.isMine.value && isInFront && now - this.#extendedAt >= extendMs) void this.take()
  }
}
