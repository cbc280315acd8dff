/**
 * The connection of this page: opened again for as long as the page lives, without a word and without a reload. What is shown stays until
 * there is something newer.
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

const [firstWaitMs, longestWaitMs, growth] = [250, 5_000, 1.7]
/** For an answer of a daemon that is there. */
const answerMs = 5_000
/** One that opens and breaks again at once is not tried at full speed. */
const stableMs = 2_000

export interface ConnectionOptions {
  readonly changed: (state: ConnectionState) => void
  readonly told: (notice: PageNotice['notice']) => void
}

export class Connection {
  readonly #options: ConnectionOptions
  #waitMs = firstWaitMs
  #isPutAway = false
  #wake: () => void = () => {}
  #close: () => void = () => {}
  /** Asks whether the other end is there. */
  #probe: () => Promise<unknown> = async () => {}

  constructor(options: ConnectionOptions) {
    this.#options = options
    addEventListener('online', () => this.#cameBack())
    // Browsers keep a page for the back button only if it has nothing open.
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

  /** Goes on for as long as the page is there. */
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
      const socket = await openSocket(this.#options.told, ownTab)
      if (socket === null) return 'signedOut'
      this.#close = socket.close
      const { client, device, build } = socket
      this.#probe = () => client.call('list', {})
      this.#options.changed({ kind: 'open', client, device, build })
      return await socket.closed
    } catch {
      // Nobody listens there just now, which is what is waited for.
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

  /** After a sleep a connection may look alive for minutes, and is not. */
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
