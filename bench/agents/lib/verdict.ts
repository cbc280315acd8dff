/** Verdicts over time, as a caller sees them. */

import { now, sleep } from './time.ts'

/** agentpty's verdict on a terminal; names as in its results. */
export interface Verdict {
  readonly state: string
  readonly kind?: string | undefined
  readonly confidence?: string | undefined
  readonly needs?: string | undefined
  readonly question?: string | undefined
  readonly evidence?: readonly string[] | undefined
}

export interface Sample {
  /** The times of the request and of the result: the verdict is from a moment between them. */
  readonly t: number
  readonly answeredAt: number
  readonly verdict: Verdict
}

const sampleEveryMs = 50

/** Requests the verdict repeatedly until stopped. */
export class VerdictSampler {
  readonly samples: Sample[] = []
  readonly #ask: () => Promise<Verdict>
  readonly #running: Promise<void>
  #isStopped = false

  constructor(ask: () => Promise<Verdict>) {
    this.#ask = ask
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const t = now()
      const verdict = await this.#ask()
      this.samples.push({ t, answeredAt: now(), verdict })
      await sleep(Math.max(0, t + sampleEveryMs - now()))
    }
  }
}
