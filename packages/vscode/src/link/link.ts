/** The connection of this window to a daemon. It reconnects for the lifetime of the window. */

import { systemClock } from '@agentpty/engine/system-clock'
import { isTermError, TermError } from '@agentpty/protocol'
import type { WireClient } from '@agentpty/protocol/wire'
import type { OpenClient } from './connect.ts'
import { Observable } from './observable.ts'

export type LinkState =
  | { readonly kind: 'connecting' | 'open' | 'stopped' }
  | { readonly kind: 'lost'; readonly error: TermError }

export interface LinkOptions {
  /** Rejects with the reason if no connection can be opened. */
  readonly open: () => Promise<OpenClient>
  readonly log: (line: string) => void
}

const firstWaitMs = 200
const longestWaitMs = 10_000
const growth = 1.8

export class Link {
  readonly client = new Observable<WireClient | null>(null)
  readonly state = new Observable<LinkState>({ kind: 'connecting' })
  readonly #options: LinkOptions
  #isOver = false
  #isStopped = false
  #current: OpenClient | null = null
  #wake: () => void = () => {}
  #waitMs = firstWaitMs

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Runs until it is closed. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      try {
        if (this.#isStopped) await this.#untilStarted()
        else await this.#hold(await this.#options.open())
      } catch (error) {
        this.#lost(error)
        await this.#pause()
      }
    }
  }

  /** Retries immediately instead of waiting for the next attempt. */
  retry(): void {
    this.#waitMs = firstWaitMs
    this.#wake()
  }

  /** Closes the connection and opens a new one, perhaps to another machine. */
  async again(): Promise<void> {
    this.retry()
    await this.client.peek()?.close()
  }

  /** Stops the daemon; this window starts none until `retry`. Terminals keep running. Errors: those of the daemon. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    const current = this.#current
    await current?.control.stop({ all: false })
    // A later request must not find the daemon that is stopping.
    await current?.ended
  }

  start(): void {
    this.#isStopped = false
    this.retry()
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#wake()
    await this.client.peek()?.close()
  }

  async #hold(client: OpenClient): Promise<void> {
    if (this.#isOver) return client.close()
    this.#waitMs = firstWaitMs
    this.#options.log('connected')
    this.#current = client
    this.client.set(client)
    this.state.set({ kind: 'open' })
    await client.ended
    this.#current = null
    this.client.set(null)
    if (!this.#isOver) this.state.set({ kind: 'connecting' })
  }

  #untilStarted(): Promise<void> {
    this.state.set({ kind: 'stopped' })
    this.#options.log('stopped')
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #lost(error: unknown): void {
    const known = isTermError(error)
      ? (error as TermError)
      : new TermError('internal', error instanceof Error ? error.message : String(error), 'Run: agentpty doctor')
    this.#options.log(`not connected: ${known.message} ${known.hint}`)
    this.state.set({ kind: 'lost', error: known })
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const stop = systemClock.callAt(systemClock.now() + this.#waitMs, () => resolve())
      this.#waitMs = Math.min(longestWaitMs, this.#waitMs * growth)
      this.#wake = () => {
        stop()
        resolve()
      }
    })
  }
}
