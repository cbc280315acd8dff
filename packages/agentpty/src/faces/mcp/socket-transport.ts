/** MCP messages as JSON lines over a socket: what stdio is to a process, this is to the daemon. */

import type { Socket } from 'node:net'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { isObject, type JsonObject, LineSplitter, parseObject } from '../../contracts/json-lines.ts'

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
    if (message === null) this.#refuse(null, -32_700, 'Parse error: send one JSON object per line.')
    else if (isMessage(message)) this.onmessage?.(message as JSONRPCMessage)
    else this.#refuse(isId(message['id']) ? message['id'] : null, -32_600, invalidRequest)
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }
}

const invalidRequest =
  'Invalid request: jsonrpc is "2.0", method a string, id a string or a whole number, params an object where there are any.'

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

/** What is passed on and is no request or notification is dropped without a word: so must be an answer, or two would answer for ever. */
function isMessage({ jsonrpc, id, method, params, result, error }: JsonObject): boolean {
  if (result !== undefined || error !== undefined) return true
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !(id === undefined || isId(id))) return false
  return params === undefined || isObject(params)
}
