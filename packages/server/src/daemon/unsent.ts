/**
 * What all connections of a daemon hold for their clients, over its socket and over HTTP. When those who do not read hold too
 * much all together, the connection that holds the most is closed.
 */

import type { Socket } from 'node:net'
import { unsentBytesMax } from '@agentpty/protocol'

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
