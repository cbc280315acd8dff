/**
 * The lease of a terminal from the view of its holder: taken, extended while its holder is there and uses it, and
 * given back. Without extensions it ends automatically, so a holder that is gone blocks other clients only briefly.
 * The server decides who has it; this class keeps the known state.
 */

import type { Client } from '../client.ts'
import { defined } from '../collections.ts'
import type { Clock, Stop } from '../ports.ts'
import type { Millis } from '../units.ts'
import type { Lease } from './lease.ts'
import { attachedLeaseMs } from './lease-limits.ts'

export interface OwnLeaseParts {
  readonly clock: Clock
  readonly terminalId: string
  /** Null while there is no connection. */
  readonly client: () => Pick<Client, 'call'> | null
  /** Called when the lease changed, or the known state of it. */
  readonly changed: () => void
  /** It was not taken, not made longer or not given back; then its time ends it. */
  readonly failed: (error: unknown) => void
  /** Epoch of a lease that its holder has from before. */
  readonly epoch?: number | null
  /** Time after {@link OwnLease.used} for which its holder counts as present; absent: until this is disposed. */
  readonly usedForMs?: Millis
  /** Whether its holder can see the terminal; absent: always. */
  readonly isInFront?: () => boolean
}

/** Input of an agent that was found in the line when the lease was taken. */
export interface FoundLine {
  readonly removed?: string
  readonly leftover?: string
}

/** Since the last extension. */
const extendMs = attachedLeaseMs / 3
/** Retry interval after an extension was skipped because the holder was idle. */
const againMs = extendMs / 3

export class OwnLease {
  readonly #parts: OwnLeaseParts
  #lease: Lease | null = null
  /** Epoch of our own lease. */
  #epoch: number | null
  #found: FoundLine | null = null
  #endsAt: Millis = 0
  #usedAt: Millis
  #extendedAt: Millis = Number.NEGATIVE_INFINITY
  #stop: Stop = () => {}
  #isDisposed = false

  constructor(parts: OwnLeaseParts) {
    this.#parts = parts
    this.#epoch = parts.epoch ?? null
    this.#usedAt = parts.clock.now()
  }

  /** The lease as the server reports it; null while that is not known. */
  get lease(): Lease | null {
    return this.#lease
  }

  get isMine(): boolean {
    return this.#lease?.mayType === 'person' && this.#lease.epoch === this.#epoch
  }

  /** Null once it is not ours. */
  get epoch(): number | null {
    return this.#epoch
  }

  get found(): FoundLine | null {
    return this.#found
  }

  /** When our own lease ends automatically, by the clock. */
  get endsAt(): Millis {
    return this.#endsAt
  }

  /** Takes over the lease that the server reports now. */
  seen(lease: Lease): void {
    const { clock, changed } = this.#parts
    this.#lease = lease
    if (this.isMine) {
      this.#endsAt ||= clock.now() + Math.max(0, (lease.endsAt ?? 0) - clock.wall())
      this.#lookLater(extendMs)
    } else this.#forget()
    changed()
  }

  toggle(): Promise<void> {
    return this.isMine ? this.giveBack() : this.take()
  }

  async take(): Promise<void> {
    const { clock, terminalId, changed, failed } = this.#parts
    const client = this.#parts.client()
    if (client === null) return
    const isNew = !this.isMine
    this.#extendedAt = clock.now()
    // To make it longer is no use of it.
    if (isNew) this.#usedAt = this.#extendedAt
    const endsAt = clock.now() + attachedLeaseMs
    try {
      const { lease, removed, leftover } = await client.call('take', { terminalId, forMs: attachedLeaseMs })
      this.#lease = lease
      this.#epoch = lease.epoch
      this.#endsAt = endsAt
      if (isNew) this.#found = defined({ removed, leftover })
      this.#lookLater(extendMs)
      changed()
    } catch (error) {
      failed(error)
    }
  }

  async giveBack(): Promise<void> {
    const { terminalId, failed } = this.#parts
    const client = this.#parts.client()
    if (client === null || !this.isMine) return
    const holder = this.#lease?.holder ?? null
    try {
      const { lease } = await client.call('release', { terminalId, ...(holder === null ? {} : { holder }) })
      this.seen(lease)
    } catch (error) {
      failed(error)
    }
  }

  /** Its holder has just done something. */
  used(): void {
    this.#usedAt = this.#parts.clock.now()
    if (this.isMine) this.#extend()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#stop()
  }

  #forget(): void {
    this.#epoch = null
    this.#found = null
    this.#endsAt = 0
    this.#stop()
  }

  #lookLater(ms: Millis): void {
    const { clock } = this.#parts
    this.#stop()
    if (this.#isDisposed) return
    this.#stop = clock.callAt(clock.now() + ms, () => {
      if (!this.isMine) return
      this.#lookLater(againMs)
      this.#extend()
    })
  }

  #extend(): void {
    const { clock, usedForMs = Number.POSITIVE_INFINITY, isInFront = () => true } = this.#parts
    const now = clock.now()
    const isDue = now - this.#extendedAt >= extendMs
    if (isDue && now - this.#usedAt < usedForMs && isInFront()) void this.take()
  }
}
