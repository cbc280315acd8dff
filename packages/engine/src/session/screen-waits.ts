/** Callers that wait until the screen shows everything up to an offset, each until then or until it has been too long. */

import { type Clock, type Offset, screenWaitMsMax } from '@agentpty/protocol'
import { longTurns } from './inbox.ts'

interface ScreenWait {
  readonly offset: Offset
  readonly call: () => void
}

export class ScreenWaits {
  readonly #clock: Clock
  /** Called when a caller has stopped waiting and has read the screen. */
  readonly #onLeft: () => void
  #waits: ScreenWait[] = []

  constructor(clock: Clock, onLeft: () => void) {
    this.#clock = clock
    this.#onLeft = onLeft
  }

  get areNone(): boolean {
    return this.#waits.length === 0
  }

  /** Calls once: when the screen shows everything up to `offset`, or when the time is over. */
  add(offset: Offset, call: () => void): void {
    const leave = this.#clock.callAt(this.#clock.now() + screenWaitMsMax, () => {
      this.#waits = this.#waits.filter((each) => each !== wait)
      call()
      // Not before the caller that waited has read the screen.
      longTurns.wait(this.#onLeft)
    })
    const wait = {
      offset,
      call: () => {
        leave()
        call()
      },
    }
    this.#waits.push(wait)
  }

  /** The screen shows everything up to `parsedTo`. */
  parsed(parsedTo: Offset): void {
    const due = this.#waits.filter(({ offset }) => offset <= parsedTo)
    this.#waits = this.#waits.filter(({ offset }) => offset > parsedTo)
    for (const { call } of due) call()
  }
}
