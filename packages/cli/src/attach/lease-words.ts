/** The lease of a terminal for an attached person, and its text in the status line. */

import { type Client, type Clock, isTermError } from '@agentpty/protocol'
import { freeLease, type Lease, OwnLease } from '@agentpty/protocol/session'

export interface LeaseWordsParts {
  readonly clock: Clock
  readonly client: Client
  readonly terminalId: string
  /** Called when the lease changed or there is a new message: the status line shows both. */
  readonly changed: () => void
}

export class LeaseWords {
  readonly #parts: LeaseWordsParts
  readonly #own: OwnLease
  #news = ''
  #isNew = false

  constructor(parts: LeaseWordsParts) {
    this.#parts = parts
    const { clock, client, terminalId, changed } = parts
    this.#own = new OwnLease({ clock, terminalId, client: () => client, changed, failed: this.#showError })
  }

  get isMine(): boolean {
    return this.#own.isMine
  }

  /** For the status line; empty while everybody may type and nothing is to be said. */
  get words(): string {
    if (this.#news !== '') return this.#news
    const { mayType, holder } = this.#own.lease ?? freeLease
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

  /** Takes over the lease that the server reports. */
  seen(lease: Lease): void {
    if (lease.epoch !== (this.#own.lease ?? freeLease).epoch) {
      this.#isNew = true
      this.#news = ''
    }
    this.#own.seen(lease)
  }

  async toggle(): Promise<void> {
    if (this.isMine) return this.#own.giveBack()
    this.#isNew = true
    await this.#own.take()
    const { removed, leftover } = this.#own.found ?? {}
    if (removed !== undefined) this.#say(`YOURS; taken back of the agent’s line: ${removed}`)
    if (leftover !== undefined) this.#say(`YOURS; the agent has typed this and not entered it: ${leftover}`)
  }

  /** The person leaves. */
  async giveBack(): Promise<void> {
    await this.#own.giveBack()
    this.#own.dispose()
  }

  /** A key was refused. */
  refused(error: unknown): void {
    if (isTermError(error) && error.code === 'person_types') this.#say('only agents type here: take it over first')
  }

  readonly #showError = (error: unknown): void => this.#say(error instanceof Error ? error.message : String(error))

  #say(news: string): void {
    this.#news = news
    this.#isNew = true
    this.#parts.changed()
  }
}
