/** MCP messages as JSON lines over a socket: what stdio is to a process, this is to the daemon. */

import { isObject, type JsonObject, parseObject } from '@agentpty/protocol/wire'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

interface LineHandlers {
  /** The promise settles when the line has been dealt with. */
  readonly line: (line: string) => Promise<void> | undefined
  readonly closed: () => void
}

/** A connection that bounds what waits for its other end. */
export interface Lines {
  start(first: Buffer, handlers: LineHandlers): void
  send(line: string): void
  close(): void
}

export class SocketTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #lines: Lines
  readonly #first: Buffer
  /** Open requests, and what to call when they are answered or cancelled. */
  readonly #open = new Map<RequestId, () => void>()

  /** `first` has arrived already. */
  constructor(lines: Lines, first: Buffer) {
    this.#lines = lines
    this.#first = first
  }

  async start(): Promise<void> {
    this.#lines.start(this.#first, { line: (line) => this.#handle(line), closed: () => this.onclose?.() })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#lines.send(`${JSON.stringify(message)}\n`)
    if (!('method' in message) && message.id !== undefined) this.#over(message.id)
  }

  async close(): Promise<void> {
    this.#lines.close()
  }

  #handle(line: string): Promise<void> | undefined {
    const message = parseObject(line)
    // A line that is not a message is its sender's mistake; it gets an error as its answer.
    if (message === null) this.#refuse(null, -32_700, 'Parse error: send one JSON object per line.')
    else if (isMessage(message)) return this.#pass(message)
    else this.#refuse(isId(message['id']) ? message['id'] : null, -32_600, invalidRequest)
    return undefined
  }

  #pass(message: JsonObject): Promise<void> | undefined {
    const { id, method, params } = message
    const isRequest = isId(id) && method !== undefined
    const answered = isRequest ? this.#answered(id) : undefined
    this.onmessage?.(message as JSONRPCMessage)
    const taken = method === 'notifications/cancelled' && isObject(params) ? params['requestId'] : null
    if (isId(taken)) this.#over(taken)
    return answered
  }

  #answered(id: RequestId): Promise<void> {
    // An id that is used twice: its two answers could not be distinguished.
    this.#over(id)
    return new Promise((resolve) => void this.#open.set(id, resolve))
  }

  #over(id: RequestId): void {
    this.#open.get(id)?.()
    this.#open.delete(id)
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#lines.send(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }
}

const invalidRequest =
  'Invalid request: jsonrpc is "2.0", method a string, id a string or a whole number, params an object where there are any.'

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

/**
 * The SDK silently drops a message that is no request or notification. A response must be dropped, or the two sides would answer each other
 * for ever.
 */
function isMessage({ jsonrpc, id, method, params, result, error }: JsonObject): boolean {
  if (result !== undefined || error !== undefined) return true
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !(id === undefined || isId(id))) return false
  return params === undefined || isObject(params)
}
