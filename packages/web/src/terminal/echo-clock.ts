/** How long a key is on its way and back, and whether that is long enough to show it before: with a gap between on and off, so that it does not flicker. */

const [onAboveMs, offBelowMs] = [40, 30]
/** Of what the newest one counts. */
const share = 0.3
/** Keys that nobody has answered for longer are not counted: a connection that was lost is no slow one. */
const longestMs = 3_000

export class EchoClock {
  #averageMs: number | null = null
  #isSlow = false

  /** Null before the first key was taken. */
  get averageMs(): number | null {
    return this.#averageMs
  }

  get isSlow(): boolean {
    return this.#isSlow
  }

  took(ms: number): void {
    if (ms > longestMs) return
    this.#averageMs = this.#averageMs === null ? ms : this.#averageMs * (1 - share) + ms * share
    this.#isSlow = this.#averageMs > (this.#isSlow ? offBelowMs : onAboveMs)
  }
}
