/** Deferred work: no caller waits for it. It runs in small parts while no urgent work runs. */

/** Processors of a small machine. */
const atOnceMax = 2

export interface Deferred<Result> {
  /** Settles with the work; never after it was cancelled. */
  readonly done: Promise<Result>
  /** Cancels the work. Returns false when it has already started: then it continues. */
  cancel(): boolean
}

export class Later {
  readonly #waiting: (() => Promise<void>)[] = []
  #urgent = 0
  #running = 0

  /** Runs urgent work, which a caller waits for. No deferred work starts meanwhile. */
  async before<Result>(urgent: () => Promise<Result>): Promise<Result> {
    this.#urgent++
    try {
      return await urgent()
    } finally {
      this.#urgent--
      this.#startWaiting()
    }
  }

  do<Result>(work: () => Promise<Result>): Deferred<Result> {
    let hasBegun = false
    let begin = () => Promise.resolve()
    const done = new Promise<Result>((resolve, reject) => {
      begin = () => {
        hasBegun = true
        return work().then(resolve, reject)
      }
    })
    this.#waiting.push(begin)
    this.#startWaiting()
    const cancel = () => {
      const at = this.#waiting.indexOf(begin)
      if (!hasBegun && at >= 0) this.#waiting.splice(at, 1)
      return !hasBegun
    }
    return { done, cancel }
  }

  #startWaiting(): void {
    while (this.#urgent === 0 && this.#running < atOnceMax) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#running++
      void next().finally(() => {
        this.#running--
        this.#startWaiting()
      })
    }
  }
}
