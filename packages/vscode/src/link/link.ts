/**
 * The connection of this window to the daemon: opened again for as long as the window lives. Where no daemon runs, one is started, because
 * there may be terminals that a daemon which was killed has left behind.
 */

import { execFile } from 'node:child_process'
import { isTermError, TermError } from '../../../agentpty/src/contracts/errors.ts'
import type { Paths } from '../../../agentpty/src/contracts/home/paths.ts'
import type { ClientHello } from '../../../agentpty/src/contracts/wire/handshake.ts'
import { systemClock } from '../../../agentpty/src/engine/host/system-clock.ts'
import { connectDaemon } from '../../../agentpty/src/faces/daemon/daemon-link.ts'
import { LineWire } from '../../../agentpty/src/faces/wire/line-wire.ts'
import { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { Held } from './held.ts'

export type LinkState = { readonly kind: 'connecting' | 'open' } | { readonly kind: 'lost'; readonly error: TermError }

export interface LinkOptions {
  readonly paths: Paths
  /** Where the program is now; null where it is not found. */
  readonly program: () => string | null
  readonly hello: Omit<ClientHello, 'face'>
  readonly log: (line: string) => void
}

const [firstWaitMs, longestWaitMs, growth] = [200, 10_000, 1.8]
/** A daemon that is started looks for terminals of the one before it. */
const startTimeoutMs = 20_000

export class Link {
  readonly client = new Held<WireClient | null>(null)
  readonly state = new Held<LinkState>({ kind: 'connecting' })
  readonly #options: LinkOptions
  #isOver = false
  #wake: () => void = () => {}
  #waitMs = firstWaitMs

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Goes on until it is closed. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#hold(await this.#open())
      } catch (error) {
        this.#lost(error)
        await this.#pause()
      }
    }
  }

  /** Tries at once, instead of waiting for the next time. */
  retry(): void {
    this.#waitMs = firstWaitMs
    this.#wake()
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#wake()
    await this.client.peek()?.close()
  }

  /** Errors: `no_daemon` where none can be started, and those of `connectDaemon`. */
  async #open(): Promise<WireClient & { readonly ended: Promise<void> }> {
    try {
      return await this.#connect()
    } catch (error) {
      if (!isTermError(error) || error.code !== 'no_daemon') throw error
      await this.#start()
      return await this.#connect()
    }
  }

  async #connect(): Promise<WireClient & { readonly ended: Promise<void> }> {
    const { paths, hello } = this.#options
    // Whichever build it is: another version of this extension must not end the daemon of others.
    const options = { clock: systemClock, paths, command: [], build: '', mayStart: false }
    const { socket } = await connectDaemon(options, { face: 'rpc', ...hello })
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    return Object.assign(new WireClient(new LineWire(socket)), { ended })
  }

  /** Any command starts one. */
  #start(): Promise<void> {
    const program = this.#options.program()
    if (program === null) return Promise.reject(notInstalled())
    this.#options.log(`starting a daemon: ${program} status`)
    return new Promise((resolve, reject) => {
      execFile(program, ['status'], { timeout: startTimeoutMs }, (error, _stdout, stderr) => {
        if (error === null) resolve()
        else reject(new TermError('daemon_gone', stderr.trim() || error.message, 'Run in a terminal: agentpty doctor'))
      })
    })
  }

  async #hold(client: WireClient & { readonly ended: Promise<void> }): Promise<void> {
    if (this.#isOver) return client.close()
    this.#waitMs = firstWaitMs
    this.#options.log('connected')
    this.client.set(client)
    this.state.set({ kind: 'open' })
    await client.ended
    this.client.set(null)
    if (!this.#isOver) this.state.set({ kind: 'connecting' })
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

function notInstalled(): TermError {
  return new TermError(
    'no_daemon',
    'agentpty is not installed here.',
    'Install it with: npm install -g agentpty. Or name it in the setting agentpty.path.',
  )
}
