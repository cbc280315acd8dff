/** What a follower is told besides output and turns: first as it is, then each change, the newest only. */

import type { EchoState, FollowOptions, Lease, SessionEvent } from '@agentpty/protocol/session'

export interface Leased {
  readonly keyboard: { readonly lease: Lease }
}

export class FollowerNews {
  readonly #session: Leased
  /** Whether what is typed is shown, judged anew. */
  readonly #echoNow: () => EchoState
  readonly #wants: Pick<FollowOptions, 'lease' | 'echo'>
  /** As they were when they were passed on last. */
  #lease: Lease | null = null
  #echo: EchoState | null = null

  constructor(session: Leased, echoNow: () => EchoState, wants: Pick<FollowOptions, 'lease' | 'echo'>) {
    this.#session = session
    this.#echoNow = echoNow
    this.#wants = wants
  }

  get isDue(): boolean {
    return this.#isLeaseDue || this.#isEchoDue
  }

  /** Null when nothing is due. */
  next(): SessionEvent | null {
    // What must not be shown any more comes before what is.
    if (this.#isEchoDue) {
      this.#echo = this.#echoNow()
      return { type: 'echo', ...this.#echo }
    }
    if (!this.#isLeaseDue) return null
    const { lease } = this.#session.keyboard
    this.#lease = lease
    return { type: 'lease', lease }
  }

  get #isLeaseDue(): boolean {
    return this.#wants.lease === true && this.#session.keyboard.lease !== this.#lease
  }

  get #isEchoDue(): boolean {
    return this.#wants.echo === true && this.#echoNow() !== this.#echo
  }
}
