/**
 * Draws the stream of one terminal on an emulator: a snapshot, then every byte once and each resize. A new snapshot replaces the old one in a
 * single step, without an intermediate state.
 */

import type { EchoState, FollowedSnapshot, Lease, SessionEvent } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import type { ViewSize } from '@agentpty/terminal-view'
import type { Terminal } from '@xterm/xterm'

export interface FeedHandlers {
  /** Called after a resize of the emulator. */
  readonly sized: (size: ViewSize) => void
  readonly leased: (lease: Lease) => void
  /** Called with the state of echo. */
  readonly echoes: (state: EchoState) => void
  /** Called before an event is written. */
  readonly beforeWrite: (event: SessionEvent) => void
  /** Called after a snapshot is drawn and before anything later. */
  readonly drawn: (snapshot: FollowedSnapshot) => void
}

/** The limit of output that the emulator has not drawn yet. Beyond it, reading pauses. */
const undrawnMax = 256 * 1_024

export class TerminalFeed {
  readonly #terminal: Terminal
  readonly #handlers: FeedHandlers
  #undrawn = 0
  #caughtUp: () => void = () => {}

  constructor(terminal: Terminal, handlers: FeedHandlers) {
    this.#terminal = terminal
    this.#handlers = handlers
  }

  /** Draws until the terminal ends, the signal aborts or the connection closes. Errors: those of `follow`. */
  async show(client: WireClient, terminalId: string, signal: AbortSignal): Promise<void> {
    for await (const event of client.follow(terminalId, {
      output: { from: 'screen' },
      lease: true,
      echo: true,
      signal,
    })) {
      if (signal.aborted) return
      this.#handlers.beforeWrite(event)
      if (event.type === 'snapshot') {
        this.#resize(event.size)
        const written = this.#write(event.text, signal)
        this.#terminal.write('', () => this.#handlers.drawn(event))
        await written
      } else if (event.type === 'output') await this.#write(event.bytes, signal)
      else if (event.type === 'resized') this.#resize(event.size)
      else if (event.type === 'echo') this.#handlers.echoes({ echoes: event.echoes, controls: event.controls })
      else if (event.type === 'lease') this.#handlers.leased(event.lease)
      else if (event.type === 'exit') this.#terminal.write('\x1b[?25l')
    }
  }

  /** Resizes after earlier output is drawn and before later output. */
  #resize(size: ViewSize): void {
    const terminal = this.#terminal
    terminal.write('', () => {
      if (terminal.cols !== size.cols || terminal.rows !== size.rows) terminal.resize(size.cols, size.rows)
      this.#handlers.sized(size)
    })
  }

  /** Resolves when more output may be written. */
  async #write(data: Uint8Array | string, signal: AbortSignal): Promise<void> {
    this.#undrawn += data.length
    this.#terminal.write(data, () => {
      this.#undrawn -= data.length
      if (this.#undrawn < undrawnMax / 2) this.#caughtUp()
    })
    if (this.#undrawn <= undrawnMax) return
    await new Promise<void>((resolve) => {
      this.#caughtUp = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
