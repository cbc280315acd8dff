/** Verdicts over time, as a caller sees them. */

import { now, sleep } from './time.ts'

/** What agentpty says of a terminal; names as in its answers. */
export interface Verdict {
  readonly state: string
  readonly kind?: string | undefined
  readonly confidence?: string | undefined
  readonly needs?: string | undefined
  readonly question?: string | undefined
  readonly evidence?: readonly string[] | undefined
}

export interface Sample {
  /** When it was asked for, and when the result came: the verdict is of a moment between. */
  readonly t: number
  readonly answeredAt: number
  readonly verdict: Verdict
}

const sampleEveryMs = 50

/** Asks for the verdict again and again until it is stopped. */
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
