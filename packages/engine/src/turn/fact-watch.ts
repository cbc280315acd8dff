/**
 * Asks the host for kernel facts as long as somebody needs them, and a moment longer: calls follow each other closely,
 * and turning the facts off and on again costs more than a few samples.
 */

import type { Clock, Pty, Stop } from '@agentpty/protocol'

const lingerMs = 100

export class FactWatch {
  readonly #clock: Clock
  readonly #pty: Pty
  /** Called when facts begin to come: older facts may not hold any more. */
  readonly #begin: () => void
  #holders = 0
  #isOn = false
  #isOver = false
  #cancelEnd: Stop = () => {}

  constructor(clock: Clock, pty: Pty, begin: () => void) {
    this.#clock = clock
    this.#pty = pty
    this.#begin = begin
  }

  /** Keeps facts coming; returns a function that ends this. */
  hold(): Stop {
    this.#holders++
    this.#cancelEnd()
    if (!this.#isOn && !this.#isOver) {
      this.#isOn = true
      this.#begin()
      this.#pty.watch(true)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#holders === 0) this.#endLater()
    }
  }

  /** Has the host look anew and report what it sees, be it news or not. */
  ask(): void {
    if (this.#isOn && !this.#isOver) this.#pty.watch(true)
  }

  /** The program has ended: there is nothing to know any more. */
  stop(): void {
    this.#isOver = true
    this.#cancelEnd()
  }

  #endLater(): void {
    if (this.#isOver) return
    this.#cancelEnd = this.#clock.callAt(this.#clock.now() + lingerMs, () => {
      this.#isOn = false
      this.#pty.watch(false)
    })
  }
}
