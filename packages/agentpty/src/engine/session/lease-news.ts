/** Who may type, for one follower: first as it is, then each change, the newest only. */

import type { SessionEvent } from '../../contracts/session/events.ts'
import type { Lease } from '../../contracts/session/lease.ts'

export interface Leased {
  readonly keyboard: { readonly lease: Lease }
}

export class LeaseNews {
  readonly #session: Leased
  readonly #isWanted: boolean
  /** As it was when it was passed on last. */
  #told: Lease | null = null

  constructor(session: Leased, isWanted: boolean) {
    this.#session = session
    this.#isWanted = isWanted
  }

  get isDue(): boolean {
    return this.#isWanted && this.#session.keyboard.lease !== this.#told
  }

  /** Null when nothing is due. */
  next(): SessionEvent | null {
    if (!this.isDue) return null
    const { lease } = this.#session.keyboard
    this.#told = lease
    return { type: 'lease', lease }
  }
}
