/** A wire over a stream of bytes, each message a line: the daemon's socket, or a pair of pipes joined to a duplex. */

import type { Duplex } from 'node:stream'
import { LineSplitter } from './json-lines.ts'
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
