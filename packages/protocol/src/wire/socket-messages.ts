/** A WebSocket as a wire, in a browser and in an editor: the first messages are taken one by one, to sign in. */

import type { PageNotice } from '../page/page-messages.ts'
import type { Wire, WireHandlers } from './wire.ts'

/** What it needs of a WebSocket. */
export interface MessageSocket {
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  send(text: string): void
  close(): void
}

/** What comes from a socket: first one by one, then to a wire. Nothing is lost in between. */
export class SocketMessages {
  readonly closed: Promise<number>
  readonly #socket: MessageSocket
  readonly #arrived: string[] = []
  #take: ((text: string) => void) | null = null

  constructor(socket: MessageSocket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
    socket.addEventListener('message', ({ data }) => {
      if (this.#take === null) this.#arrived.push(String(data))
      else this.#take(String(data))
    })
  }

  async next(): Promise<unknown> {
    const arrived = this.#arrived.shift()
    if (arrived !== undefined) return JSON.parse(arrived)
    const coming = new Promise<string>((resolve) => (this.#take = resolve))
    const text = await Promise.race([coming, this.closed])
    this.#take = null
    if (typeof text === 'number') throw new Error(`closed (${text})`)
    return JSON.parse(text)
  }

  wire(told: (notice: PageNotice['notice']) => void): Wire {
    const socket = this.#socket
    const open = ({ message, closed }: WireHandlers) => {
      const take = (text: string) => {
        if (text.startsWith('{"notice":')) told((JSON.parse(text) as PageNotice).notice)
        else message(text)
      }
      this.#take = take
      for (const text of this.#arrived.splice(0)) take(text)
      void this.closed.then(closed)
    }
    return { open, send: (message) => socket.send(message), close: () => socket.close() }
  }
}
