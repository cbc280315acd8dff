/**
 * Of a flood that is passed over, more is worth waiting for: then there is less of it to draw, and its last lines not at all until
 * it ends. Not for long, because waits see nothing of what has not been passed over or drawn.
 */

import { skimGatherBytes, skimGatherMsMax, skimQuietMs } from '../../contracts/limits.ts'
import type { Clock, Stop } from '../../contracts/ports.ts'
import type { Millis, Offset } from '../../contracts/units.ts'
import type { OutputLog } from '../log/output-log.ts'

export class FloodGathering {
  readonly #clock: Clock
  readonly #log: OutputLog
  readonly #over: () => void
  /** What came last was passed over. */
  #isFlood = false
  /** Nothing has come for a moment: what there is shall be drawn. */
  #isQuiet = false
  #hasEnded = false
  #cancel: Stop | null = null

  /** `over` is called when what was gathered shall be drawn. */
  constructor(clock: Clock, log: OutputLog, over: () => void) {
    this.#clock = clock
    this.#log = log
    this.#over = over
  }

  /** The log has grown. */
  grown(): void {
    this.#isQuiet = false
  }

  /** It will not grow any more. */
  ended(): void {
    this.#hasEnded = true
    if (this.#cancel !== null) this.#stopWaiting(true)
  }

  skimmed(passedOver: number): void {
    this.#isFlood = passedOver > 0
  }

  /** Shall what follows `from` wait for more? A beginning of up to `moreThan` bytes need not. */
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
