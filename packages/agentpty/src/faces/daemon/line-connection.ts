/**
 * The daemon's end of a client's connection: lines come in, lines go out, and the other end may stop reading.
 *
 * Output that waits for the client to read is bounded. While there is much of it, no more input is taken: a client gets
 * only as many answers as it reads. Events wait for room one after the other. What all connections hold together is
 * bounded in unsent.ts.
 */

import type { Socket } from 'node:net'
import { unsentBytesFull } from '../../contracts/limits.ts'
import { LineSplitter } from '../../contracts/wire/json-lines.ts'
import type { SharedBounds } from '../../contracts/wire/shared-bounds.ts'

export interface LineHandlers {
  /** The promise settles when the line has been dealt with. */
  readonly line: (line: string) => Promise<void> | undefined
  readonly closed: () => void
}

export class LineConnection {
  readonly #socket: Socket
  readonly #shared: SharedBounds
  readonly #splitter = new LineSplitter()
  #lines: string[] = []
  /** Events that wait for room, in order. */
  #waiting: (() => void)[] = []
  #handlers: LineHandlers = { line: () => undefined, closed: () => {} }
  /** Lines from the client wait: for other calls, or until it reads. */
  #isHeld = false
  #calls = 0

  /** The socket is paused. */
  constructor(socket: Socket, shared: SharedBounds) {
    this.#socket = socket
    this.#shared = shared
    shared.unsent.add(socket)
  }

  /** `first` has arrived already. */
  start(first: Buffer, handlers: LineHandlers): void {
    this.#handlers = handlers
    this.#socket.on('data', (bytes) => this.#receive(bytes))
    this.#socket.on('drain', () => this.#drained())
    this.#socket.once('close', () => {
      for (const wake of this.#waiting.splice(0)) wake()
      handlers.closed()
    })
    this.#socket.resume()
    this.#receive(first)
  }

  send(line: string): void {
    if (this.#socket.destroyed) return
    this.#socket.write(line)
    if (this.#isFull) this.#shared.unsent.bound()
  }

  /**
   * Null when there is room for an event just now. Else it resolves when there is, for one after the other, or when
   * nothing will be sent any more.
   */
  room(signal: AbortSignal): Promise<void> | null {
    if (!this.#isFull || this.#socket.destroyed || signal.aborted) return null
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

  close(): void {
    this.#socket.destroy()
  }

  get #isFull(): boolean {
    return this.#socket.writableLength > unsentBytesFull
  }

  #receive(bytes: Buffer): void {
    try {
      this.#lines.push(...this.#splitter.push(bytes))
    } catch {
      // A line without an end: the rest of the stream cannot be trusted.
      this.#socket.destroy()
    }
    if (!this.#isHeld) this.#handle()
  }

  #handle(): void {
    const { gate } = this.#shared
    while (this.#lines.length > 0 && !this.#socket.destroyed) {
      const mustWait = this.#calls > 0 && gate.isFull
      if (this.#isFull || mustWait) {
        this.#isHeld = true
        this.#socket.pause()
        if (mustWait) gate.wait(() => this.#goOn())
        return
      }
      this.#begin(this.#lines.shift() ?? '')
    }
  }

  #begin(line: string): void {
    const answered = this.#handlers.line(line)
    if (answered === undefined) return
    this.#calls += 1
    const leave = this.#shared.gate.enter()
    void answered.finally(() => {
      this.#calls -= 1
      leave()
    })
  }

  #goOn(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#handle()
    if (!this.#isHeld) this.#socket.resume()
  }

  #drained(): void {
    this.#goOn()
    this.#release()
  }

  #release(): void {
    if (this.#isFull) return
    this.#waiting.shift()?.()
    // The output of this event counts before the next one may be sent.
    if (this.#waiting.length > 0) setImmediate(() => this.#release())
  }
}
