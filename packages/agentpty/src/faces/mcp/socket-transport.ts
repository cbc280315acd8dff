/** MCP messages as JSON lines over a socket: what stdio is to a process, this is to the daemon. */

import type { Socket } from 'node:net'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { LineSplitter, parseObject } from '../../contracts/json-lines.ts'

export class SocketTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #socket: Socket
  readonly #lines = new LineSplitter()
  readonly #first: Buffer

  /** `first` has arrived already. */
  constructor(socket: Socket, first: Buffer) {
    this.#socket = socket
    this.#first = first
  }

  async start(): Promise<void> {
    this.#socket.on('data', (bytes) => this.#receive(bytes))
    this.#socket.on('close', () => this.onclose?.())
    this.#receive(this.#first)
    this.#socket.resume()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    try {
      for (const line of this.#lines.push(bytes)) this.#handle(line)
    } catch (error) {
      // A message without end: the rest of the stream cannot be trusted.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      this.#socket.destroy()
    }
  }

  #handle(line: string): void {
    const message = parseObject(line)
    // A line that is no message is its sender's mistake and costs nothing but this answer.
    if (message === null) this.#socket.write(parseError)
    else this.onmessage?.(message as JSONRPCMessage)
  }
}

const parseError = `${JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: send one JSON object per line.' },
})}\n`
