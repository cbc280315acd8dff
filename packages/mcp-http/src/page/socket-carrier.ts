/** A WebSocket as a carrier of messages. What breaks its protocol closes it, and harms nobody else. */

import type { Socket } from 'node:net'
import type { Carrier } from '@agentpty/protocol/wire'
import type { WebSocket } from 'ws'

export interface CarrierHandlers {
  readonly message: (text: string) => void
  readonly drained: () => void
  readonly closed: () => void
}

const notText = 1003

export class SocketCarrier implements Carrier {
  readonly #web: WebSocket
  readonly #socket: Socket
  #handlers: CarrierHandlers = { message: () => {}, drained: () => {}, closed: () => {} }
  /** It has said something since it was asked. */
  #isThere = true

  constructor(web: WebSocket, socket: Socket) {
    this.#web = web
    this.#socket = socket
    // Too large, not UTF-8, not masked: the library closes it with the code that says so.
    web.on('error', () => {})
    web.on('pong', () => {
      this.#isThere = true
    })
    web.on('message', (data, isBinary) => {
      this.#isThere = true
      if (this.#web.readyState !== this.#web.OPEN) return
      if (isBinary) this.end(notText, 'Text, please.')
      else this.#handlers.message(String(data))
    })
    web.once('close', () => this.#closed())
    socket.on('drain', () => this.#handlers.drained())
  }

  /** From now on these get what comes. */
  start(handlers: CarrierHandlers): void {
    this.#handlers = handlers
  }

  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  get isClosed(): boolean {
    return this.#web.readyState === this.#web.CLOSING || this.#web.readyState === this.#web.CLOSED
  }

  send(message: string): void {
    if (!this.isClosed) this.#web.send(message)
  }

  pause(): void {
    this.#web.pause()
  }

  resume(): void {
    this.#web.resume()
  }

  close(): void {
    this.#web.terminate()
  }

  /** Closes it with a reason that the page can tell apart. No farewell is waited for: who sends none holds no connection by that. */
  end(code: number, reason: string): void {
    this.#web.close(code, reason)
    this.#closed()
    this.#socket.destroySoon()
  }

  #closed(): void {
    const { closed } = this.#handlers
    this.#handlers = { message: () => {}, drained: () => {}, closed: () => {} }
    closed()
  }

  /** Asks whether the other end is there; false when it has not answered the last time. */
  ping(): boolean {
    if (!this.#isThere) return false
    this.#isThere = false
    this.#web.ping()
    return true
  }
}
