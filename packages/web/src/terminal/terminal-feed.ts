/**
 * Draws what the stream of one terminal says on an emulator, each thing in its place: the terminal as it is, then every byte once, and each
 * change of size. A new picture takes the place of the old one within one step, so that nothing between them is seen.
 */

import type { EchoState, FollowedSnapshot, Lease, SessionEvent } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import type { ViewSize } from '@agentpty/terminal-view'
import type { Terminal } from '@xterm/xterm'

export interface FeedHandlers {
  /** The emulator has this size now. */
  readonly sized: (size: ViewSize) => void
  readonly leased: (lease: Lease) => void
  /** Whether what is typed is shown. */
  readonly echoes: (state: EchoState) => void
  /** Before an event is written. */
  readonly comes: (event: SessionEvent) => void
  /** A snapshot has been drawn, and nothing after it. */
  readonly drawn: (snapshot: FollowedSnapshot) => void
}

/** Given to the emulator and not drawn yet: more is not read until it has caught up. */
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

  /** Draws until the terminal ends, the signal aborts or the connection is lost. Errors: those of `follow`. */
  async show(client: WireClient, terminalId: string, signal: AbortSignal): Promise<void> {
    for await (const event of client.follow(terminalId, {
      output: { from: 'screen' },
      lease: true,
      echo: true,
      signal,
    })) {
      if (signal.aborted) return
      this.#handlers.comes(event)
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

  /** Once what was written before has been drawn, and before what comes after it. */
  #resize(size: ViewSize): void {
    const terminal = this.#terminal
    terminal.write('', () => {
      if (terminal.cols !== size.cols || terminal.rows !== size.rows) terminal.resize(size.cols, size.rows)
      this.#handlers.sized(size)
    })
  }

  /** Resolves when there is room for more. */
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
