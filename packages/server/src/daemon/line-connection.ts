/** The daemon's end of a client's connection over a socket: lines come in, lines go out. The bounds are in message-connection.ts. */

import type { Socket } from 'node:net'
import { type Stop, unsentBytesFull, unsentBytesMax } from '@agentpty/protocol'
import { type Carrier, LineSplitter, type SharedBounds } from '@agentpty/protocol/wire'

interface LineHandlers {
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

  /** See {@link MessageConnection.room}. */
  room(signal: AbortSignal): Promise<void> | null {
    return this.#messages.room(signal)
  }

  /** Runs the callback once when the connection closes (immediately if it is closed). */
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

/** Deals with a message; the promise settles when that is done. */
type HandleMessage = (message: string) => Promise<void> | undefined

/**
 * The daemon's end of a connection, whatever carries its messages. The other end may stop reading.
 *
 * Output that waits for the client to read is bounded. While there is much of it, no more input is taken: a client gets
 * only as many answers as it reads. Events wait for room one after the other. What all connections hold together is
 * bounded below.
 */
export class MessageConnection {
  readonly #carrier: Carrier
  readonly #shared: SharedBounds
  readonly #handle: HandleMessage
  readonly #messages: string[] = []
  /** Events that wait for room, in order. */
  #waiting: (() => void)[] = []
  /** Messages from the client wait: for other calls, or until it reads. */
  #isHeld = false
  #calls = 0

  constructor(carrier: Carrier, shared: SharedBounds, handle: HandleMessage) {
    this.#carrier = carrier
    this.#shared = shared
    this.#handle = handle
  }

  receive(messages: readonly string[]): void {
    for (const message of messages) this.#messages.push(message)
    if (!this.#isHeld) this.#begin()
  }

  send(message: string): void {
    if (this.#carrier.isClosed) return
    this.#carrier.send(message)
    if (this.#isFull) this.#shared.unsent.bound()
  }

  /** Null when there is room for an event now; else resolves in turn when there is, or when nothing will be sent any more. */
  room(signal: AbortSignal): Promise<void> | null {
    if (!this.#isFull || this.#carrier.isClosed || signal.aborted) return null
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== wake)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(wake)
    })
  }

  /** The client has read some of what waited for it. */
  drained(): void {
    this.#resume()
    this.#release()
  }

  closed(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  get #isFull(): boolean {
    return this.#carrier.unsentBytes > unsentBytesFull
  }

  #begin(): void {
    const { gate } = this.#shared
    while (this.#messages.length > 0 && !this.#carrier.isClosed) {
      const mustWait = this.#calls > 0 && gate.isFull
      if (this.#isFull || mustWait) {
        this.#isHeld = true
        this.#carrier.pause()
        if (mustWait) gate.wait(() => this.#resume())
        return
      }
      this.#enter(this.#messages.shift() ?? '')
    }
  }

  #enter(message: string): void {
    const answered = this.#handle(message)
    if (answered === undefined) return
    this.#calls += 1
    const leave = this.#shared.gate.enter()
    void answered.finally(() => {
      this.#calls -= 1
      leave()
    })
  }

  #resume(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#begin()
    if (!this.#isHeld) this.#carrier.resume()
  }

  #release(): void {
    if (this.#isFull) return
    this.#waiting.shift()?.()
    // The output of this event counts before the next one may be sent.
    if (this.#waiting.length > 0) setImmediate(() => this.#release())
  }
}

/** The bytes that all connections hold for clients, on the socket and HTTP. Above the limit the connection with the most is closed. */
export class Unsent {
  readonly #sockets = new Set<Socket>()
  readonly #report: (text: string) => void

  constructor(report: (text: string) => void) {
    this.#report = report
  }

  add(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Called when one holds much. */
  bound(): void {
    let bytes = 0
    let largest: Socket | null = null
    for (const socket of this.#sockets) {
      bytes += socket.writableLength
      if (largest === null || socket.writableLength > largest.writableLength) largest = socket
    }
    if (bytes <= unsentBytesMax || largest === null) return
    this.#report(`A client is let go: it has not read ${largest.writableLength} bytes.`)
    this.#sockets.delete(largest)
    largest.destroy()
  }
}
