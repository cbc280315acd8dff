/**
 * The daemon's end of a connection, whatever carries its messages. The other end may stop reading.
 *
 * Output that waits for the client to read is bounded. While there is much of it, no more input is taken: a client gets
 * only as many answers as it reads. Events wait for room one after the other. What all connections hold together is
 * bounded in unsent.ts.
 */

import { unsentBytesFull } from '@agentpty/protocol'
import type { Carrier, SharedBounds } from '@agentpty/protocol/wire'

/** Deals with a message; the promise settles when that is done. */
export type HandleMessage = (message: string) => Promise<void> | undefined

export class MessageConnection {
  readonly #carrier: Carrier
  readonly #shared: SharedBounds
  readonly #handle: HandleMessage
  readonly #messages: string[] = []
  /** Events that wait for room, in order. */
  #waiting: (() => void)[] = []
  /** Messages from the client wait: for other calls, or until it reads. */
  #isHeld = false
  #calls = 0

  constructor(carrier: Carrier, shared: SharedBounds, handle: HandleMessage) {
    this.#carrier = carrier
    this.#shared = shared
    this.#handle = handle
  }

  receive(messages: readonly string[]): void {
    for (const message of messages) this.#messages.push(message)
    if (!this.#isHeld) this.#begin()
  }

  send(message: string): void {
    if (this.#carrier.isClosed) return
    this.#carrier.send(message)
    if (this.#isFull) this.#shared.unsent.bound()
  }

  /**
   * Null when there is room for an event just now. Else it resolves when there is, for one after the other, or when
   * nothing will be sent any more.
   */
  room(signal: AbortSignal): Promise<void> | null {
    if (!this.#isFull || this.#carrier.isClosed || signal.aborted) return null
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== wake)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(wake)
    })
  }

  /** The client has read some of what waited for it. */
  drained(): void {
    this.#goOn()
    this.#release()
  }

  closed(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  get #isFull(): boolean {
    return this.#carrier.unsentBytes > unsentBytesFull
  }

  #begin(): void {
    const { gate } = this.#shared
    while (this.#messages.length > 0 && !this.#carrier.isClosed) {
      const mustWait = this.#calls > 0 && gate.isFull
      if (this.#isFull || mustWait) {
        this.#isHeld = true
        this.#carrier.pause()
        if (mustWait) gate.wait(() => this.#goOn())
        return
      }
      this.#enter(this.#messages.shift() ?? '')
    }
  }

  #enter(message: string): void {
    const answered = this.#handle(message)
    if (answered === undefined) return
    this.#calls += 1
    const leave = this.#shared.gate.enter()
    void answered.finally(() => {
      this.#calls -= 1
      leave()
    })
  }

  #goOn(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#begin()
    if (!this.#isHeld) this.#carrier.resume()
  }

  #release(): void {
    if (this.#isFull) return
    this.#waiting.shift()?.()
    // The output of this event counts before the next one may be sent.
    if (this.#waiting.length > 0) setImmediate(() => this.#release())
  }
}
