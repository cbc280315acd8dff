/** Measures the round trip of a key and decides whether local echo is worth it. Two thresholds prevent flicker. */

const onAboveMs = 40
const offBelowMs = 30
/** The weight of the newest measurement. */
const share = 0.3
/** Longer round trips are ignored: a lost connection is not a slow one. */
const longestMs = 3_000

export class EchoClock {
  #averageMs: number | null = null
  #isSlow = false

  /** Null before the first measurement. */
  get averageMs(): number | null {
    return this.#averageMs
  }

  get isSlow(): boolean {
    return this.#isSlow
  }

  measured(ms: number): void {
    if (ms > longestMs) return
    this.#averageMs = this.#averageMs === null ? ms : this.#averageMs * (1 - share) + ms * share
    this.#isSlow = this.#averageMs > (this.#isSlow ? offBelowMs : onAboveMs)
  }
}
