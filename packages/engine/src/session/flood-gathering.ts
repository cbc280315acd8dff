/**
 * Gathers a flood before it is passed over: the more there is, the less of it has to be drawn, and its last lines are
 * not drawn before it ends. Not for long, because waits see only what has been passed over or drawn.
 */

import {
  type Clock,
  type Millis,
  type Offset,
  type Stop,
  skimGatherBytes,
  skimGatherMsMax,
  skimQuietMs,
} from '@agentpty/protocol'
import type { OutputLog } from '../log/output-log.ts'

export class FloodGathering {
  readonly #clock: Clock
  readonly #log: OutputLog
  readonly #over: () => void
  /** The output that came last was passed over. */
  #isFlood = false
  /** Nothing has come for a moment: what was gathered is to be drawn. */
  #isQuiet = false
  #hasEnded = false
  #cancel: Stop | null = null

  /** `over` is called when what was gathered is to be drawn. */
  constructor(clock: Clock, log: OutputLog, over: () => void) {
    this.#clock = clock
    this.#log = log
    this.#over = over
  }

  /** The log has grown. */
  grown(): void {
    this.#isQuiet = false
  }

  /** The log will not grow any more. */
  ended(): void {
    this.#hasEnded = true
    if (this.#cancel !== null) this.#stopWaiting(true)
  }

  skimmed(passedOver: number): void {
    this.#isFlood = passedOver > 0
  }

  /** Should the output from `from` on wait for more? Up to `moreThan` bytes do not begin to wait. */
  waitsFrom(from: Offset, moreThan: number): boolean {
    const pending = this.#log.end - from
    const goesOn = this.#isFlood && !this.#isQuiet && !this.#hasEnded
    const isMuch = this.#cancel !== null || pending > moreThan
    const waits = goesOn && isMuch && pending < Math.min(skimGatherBytes, this.#log.capacityBytes / 4)
    if (!waits) this.stop()
    else if (this.#cancel === null) this.#wait(this.#clock.now() + skimGatherMsMax)
    return waits
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  /** Until nothing has come for a moment, or it has been too long. */
  #wait(latest: Millis): void {
    const seen = this.#log.end
    this.#cancel = this.#clock.callAt(Math.min(this.#clock.now() + skimQuietMs, latest), () => {
      const isQuiet = this.#log.end === seen
      if (!isQuiet && this.#clock.now() < latest) this.#wait(latest)
      else this.#stopWaiting(isQuiet)
    })
  }

  #stopWaiting(isQuiet: boolean): void {
    this.stop()
    this.#isFlood = false
    this.#isQuiet = isQuiet
    this.#over()
  }
}
