/** A wire over a stream of bytes, each message a line: the daemon's socket, or a pair of pipes joined to a duplex. */

import type { Duplex } from 'node:stream'
import { TermError } from '../errors.ts'
import { messageBytesMax } from '../limits.ts'
import type { PageNotice } from '../page/device.ts'
import type { Wire, WireHandlers } from './wire.ts'

export class LineWire implements Wire {
  readonly #stream: Duplex
  readonly #lines = new LineSplitter()

  /** Takes over a stream whose hellos have been exchanged. */
  constructor(stream: Duplex) {
    this.#stream = stream
  }

  open({ message, closed }: WireHandlers): void {
    const stream = this.#stream
    stream.on('data', (bytes: Buffer) => {
      for (const line of this.#lines.push(bytes)) message(line)
    })
    stream.on('close', closed)
    stream.on('error', () => stream.destroy())
  }

  send(message: string): void {
    if (!this.#stream.destroyed) this.#stream.write(`${message}\n`)
  }

  close(): void {
    this.#stream.destroy()
  }
}

// Messages as lines of JSON: one message, one line. Used on the daemon's socket and by MCP over stdio.

/** Cuts a byte stream into lines, whatever its chunks. Errors: `message_too_large`. */
export class LineSplitter {
  #parts: Buffer[] = []
  #length = 0

  push(bytes: Buffer): readonly string[] {
    const lines: string[] = []
    let from = 0
    for (let end = bytes.indexOf(10, from); end >= 0; end = bytes.indexOf(10, from)) {
      lines.push(this.#finish(bytes.subarray(from, end)))
      from = end + 1
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from))
    return lines.filter((line) => line.trim() !== '')
  }

  /** Bytes of an unfinished line, for the next reader of the stream. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    return rest
  }

  #finish(tail: Buffer): string {
    if (this.#parts.length === 0) return tail.toString('utf8')
    this.#keep(tail)
    return this.rest().toString('utf8')
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#length > messageBytesMax) {
      throw new TermError(
        'message_too_large',
        `A message is longer than ${messageBytesMax} bytes.`,
        'Send it in pieces.',
      )
    }
    this.#parts.push(Buffer.from(bytes))
  }
}

export type JsonObject = { readonly [key: string]: unknown }

/** Null when the line is not a JSON object. */
export function parseObject(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    // Not JSON: the caller decides what that means for its connection.
    return null
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// A WebSocket as a wire, in a browser and in an editor: the first messages are taken one by one, to sign in.

/** The part of a WebSocket that is used here. */
interface MessageSocket {
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  send(text: string): void
  close(): void
}

/** Messages from a socket: first read one by one, then passed to a wire. Nothing is lost in between. */
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

  wire(notify: (notice: PageNotice['notice']) => void): Wire {
    const socket = this.#socket
    const open = ({ message, closed }: WireHandlers) => {
      const take = (text: string) => {
        if (text.startsWith('{"notice":')) notify((JSON.parse(text) as PageNotice).notice)
        else message(text)
      }
      this.#take = take
      for (const text of this.#arrived.splice(0)) take(text)
      void this.closed.then(closed)
    }
    return { open, send: (message) => socket.send(message), close: () => socket.close() }
  }
}
