/** The lease of a terminal as a person who is attached has it: taken, extended for as long as they stay, given back when they leave. */

import type { Client } from '../../../contracts/client.ts'
import { isTermError } from '../../../contracts/errors.ts'
import type { Clock, Stop } from '../../../contracts/ports.ts'
import { freeLease, type Lease } from '../../../contracts/session/lease.ts'
import { attachedLeaseMs } from '../../../contracts/session/lease-limits.ts'

export interface OwnLeaseParts {
  readonly clock: Clock
  readonly client: Client
  readonly terminalId: string
  /** Who may type has changed, or something is to be said: the status line shows it. */
  readonly changed: () => void
}

export class OwnLease {
  readonly #parts: OwnLeaseParts
  #lease: Lease = freeLease
  /** Of the lease that we have. */
  #epoch: number | null = null
  #stopExtending: Stop = () => {}
  #news = ''
  #isNew = false

  constructor(parts: OwnLeaseParts) {
    this.#parts = parts
  }

  get isMine(): boolean {
    return this.#lease.mayType === 'person' && this.#lease.epoch === this.#epoch
  }

  /** For the status line; empty while everybody may type and nothing is to be said. */
  get words(): string {
    if (this.#news !== '') return this.#news
    const { mayType, holder } = this.#lease
    if (mayType === 'both') return ''
    if (mayType === 'agent') return 'only agents type here'
    return this.isMine ? 'YOURS: agents are kept out' : `taken over by ${holder}`
  }

  /** There are words that the person has not seen: they are shown even where that covers a row, until a key is pressed. */
  get isNew(): boolean {
    return this.#isNew && this.words !== ''
  }

  /** Returns whether there were such words. */
  keyPressed(): boolean {
    const wasNew = this.isNew
    this.#isNew = false
    return wasNew
  }

  /** As the server has it. */
  seen(lease: Lease): void {
    if (lease.epoch !== this.#lease.epoch) {
      this.#isNew = true
      this.#news = ''
    }
    this.#lease = lease
    if (!this.isMine) this.#stopExtending()
    this.#parts.changed()
  }

  toggle(): Promise<void> {
    return this.isMine ? this.giveBack() : this.#take()
  }

  async giveBack(): Promise<void> {
    const { client, terminalId } = this.#parts
    if (!this.isMine) return
    this.#stopExtending()
    const { holder } = this.#lease
    // Whatever keeps it from being given back, its time ends it.
    await client.call('release', { terminalId, ...(holder === null ? {} : { holder }) }).catch(this.#told)
  }

  /** A key was refused. */
  refused(error: unknown): void {
    if (isTermError(error) && error.code === 'person_types') this.#say('only agents type here: take it over first')
  }

  async #take(): Promise<void> {
    const { client, terminalId } = this.#parts
    try {
      const { lease, removed, leftover } = await client.call('take', { terminalId, forMs: attachedLeaseMs })
      this.#epoch = lease.epoch
      this.seen(lease)
      this.#extendLater()
      if (removed !== undefined) this.#say(`YOURS; taken back of the agent’s line: ${removed}`)
      if (leftover !== undefined) this.#say(`YOURS; the agent has typed this and not entered it: ${leftover}`)
    } catch (error) {
      this.#told(error)
    }
  }

  #extendLater(): void {
    const { client, terminalId, clock } = this.#parts
    this.#stopExtending()
    this.#stopExtending = clock.callAt(clock.now() + attachedLeaseMs / 3, () => {
      if (!this.isMine) return
      this.#extendLater()
      client.call('take', { terminalId, forMs: attachedLeaseMs }).catch(this.#told)
    })
  }

  readonly #told = (error: unknown): void => this.#say(error instanceof Error ? error.message : String(error))

  #say(news: string): void {
    this.#news = news
    this.#isNew = true
    this.#parts.changed()
  }
}
