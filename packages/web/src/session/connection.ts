/**
 * The connection of this page. It reconnects for the lifetime of the page, silently and without a reload. The shown content stays until newer
 * content arrives.
 */

import type { Device, PageNotice } from '@agentpty/protocol/page'
import type { WireClient } from '@agentpty/protocol/wire'
import { type Stop, systemClock } from '../system-clock.ts'
import { openSocket } from './open-socket.ts'
import { ownTab } from './own-tab.ts'

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly client: WireClient; readonly device: Device; readonly build: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'signedOut' }

const firstWaitMs = 250
const longestWaitMs = 5_000
const growth = 1.7
/** The time limit for the answer of a reachable daemon. */
const answerMs = 5_000
/** A connection that breaks sooner does not reset the retry delay. */
const stableMs = 2_000

export interface ConnectionOptions {
  readonly changed: (state: ConnectionState) => void
  readonly noticed: (notice: PageNotice['notice']) => void
}

export class Connection {
  readonly #options: ConnectionOptions
  #waitMs = firstWaitMs
  #isPutAway = false
  #wake: () => void = () => {}
  #close: () => void = () => {}
  /** Checks whether the daemon still responds. */
  #probe: () => Promise<unknown> = async () => {}

  constructor(options: ConnectionOptions) {
    this.#options = options
    addEventListener('online', () => this.#cameBack())
    // Browsers cache a page for the back button only if it has no open connection.
    addEventListener('pagehide', ({ persisted }) => {
      this.#isPutAway = persisted
      if (persisted) this.#close()
    })
    addEventListener('pageshow', ({ persisted }) => {
      this.#isPutAway = false
      if (persisted) this.#tryNow()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#cameBack()
    })
  }

  /** Runs for the lifetime of the page. */
  async run(): Promise<never> {
    for (;;) {
      const startedAt = systemClock.now()
      const ended = await this.#once()
      if (ended === 'signedOut') {
        this.#options.changed({ kind: 'signedOut' })
        // Another tab may sign this browser in.
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      this.#options.changed({ kind: 'lost' })
      if (systemClock.now() - startedAt > stableMs) this.#waitMs = firstWaitMs
      await this.#pause()
    }
  }

  async #once(): Promise<'lost' | 'signedOut'> {
    try {
      const socket = await openSocket({ page: location.href, noticed: this.#options.noticed, tab: ownTab })
      if (socket === null) return 'signedOut'
      this.#close = socket.close
      const { client, device, build } = socket
      this.#probe = () => client.call('list', {})
      this.#options.changed({ kind: 'open', client, device, build })
      return await socket.closed
    } catch {
      // The daemon is not running now; the loop waits for it.
      return 'lost'
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const stop: Stop = this.#isPutAway ? () => {} : systemClock.callAfter(this.#waitMs, resolve)
      this.#waitMs = Math.min(longestWaitMs, this.#waitMs * growth)
      this.#wake = () => {
        stop()
        resolve()
      }
    })
  }

  /** After the machine has slept, a dead connection may look alive for minutes. */
  #cameBack(): void {
    this.#tryNow()
    const close = this.#close
    const stop = systemClock.callAfter(answerMs, close)
    this.#probe().then(stop, stop)
  }

  #tryNow(): void {
    this.#waitMs = firstWaitMs
    this.#wake()
  }
}
