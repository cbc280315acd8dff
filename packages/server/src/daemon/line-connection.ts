/** The daemon's end of a client's connection over a socket: lines come in, lines go out. What is bounded stands in message-connection.ts. */

import type { Socket } from 'node:net'
import type { Stop } from '@agentpty/protocol'
import { type Carrier, LineSplitter, type SharedBounds } from '@agentpty/protocol/wire'
import { type HandleMessage, MessageConnection } from './message-connection.ts'

export interface LineHandlers {
  /** The promise settles when the line has been dealt with. */
  readonly line: HandleMessage
  readonly closed: () => void
}

export class LineConnection {
  readonly #socket: Socket
  readonly #splitter = new LineSplitter()
  readonly #messages: MessageConnection
  readonly #onGone = new Set<() => void>()
  #handlers: LineHandlers = { line: () => undefined, closed: () => {} }

  /** The socket is paused. */
  constructor(socket: Socket, shared: SharedBounds) {
    this.#socket = socket
    this.#messages = new MessageConnection(carrierOf(socket), shared, (line) => this.#handlers.line(line))
    shared.unsent.add(socket)
  }

  /** `first` has arrived already. */
  start(first: Buffer, handlers: LineHandlers): void {
    this.#handlers = handlers
    this.#socket.on('data', (bytes) => this.#receive(bytes))
    this.#socket.on('drain', () => this.#messages.drained())
    this.#socket.once('close', () => {
      this.#messages.closed()
      handlers.closed()
      for (const call of this.#onGone) call()
    })
    this.#socket.resume()
    this.#receive(first)
  }

  send(line: string): void {
    this.#messages.send(line)
  }

  /** As {@link MessageConnection.room}. */
  room(signal: AbortSignal): Promise<void> | null {
    return this.#messages.room(signal)
  }

  /** Calls once when the connection has ended, at once when it has. */
  onGone(call: () => void): Stop {
    if (this.#socket.destroyed) call()
    else this.#onGone.add(call)
    return () => void this.#onGone.delete(call)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    try {
      this.#messages.receive(this.#splitter.push(bytes))
    } catch {
      // A line without an end: the rest of the stream cannot be trusted.
      this.#socket.destroy()
    }
  }
}

function carrierOf(socket: Socket): Carrier {
  return {
    get unsentBytes() {
      return socket.writableLength
    },
    get isClosed() {
      return socket.destroyed
    },
    send: (line) => void socket.write(line),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  }
}
