/** Serves a client to one connection. Its calls run concurrently; they are cancelled when it closes. */

import { parseInput } from '../call/terminal-fields.ts'
import type { Client } from '../client.ts'
import { defined } from '../collections.ts'
import { invalidInput, limitReached } from '../errors.ts'
import { followsPerClientMax, outputBytesDefault, streamEventsAheadMax } from '../limits.ts'
import { parseFollow } from '../session/parse-follow.ts'
import { isVerbName, verbs } from '../verbs/verbs.ts'
import { wireOptions } from './handshake.ts'
import { isObject, type JsonObject, parseObject } from './line-wire.ts'
import { toWireError, toWireEvent } from './messages.ts'

export interface WireServerOptions {
  readonly client: Client
  readonly send: (message: string) => void
  /** Null when there is room for an event; else it resolves when there is, or when the receiver or the caller is gone. */
  readonly room: (signal: AbortSignal) => Promise<void> | null
}

interface OpenCall {
  readonly abort: AbortController
  /** Events of a stream that were sent and that the other side has not read yet, as far as it has said. */
  unread: number
  /** How many may be unread. */
  ahead: number
  /** Called when the other side has read some. */
  wake: () => void
}

export class WireServer {
  readonly #options: WireServerOptions
  readonly #calls = new Map<number, OpenCall>()
  #streams = 0

  constructor(options: WireServerOptions) {
    this.#options = options
  }

  /** Resolves when a call is answered. Errors: throws on anything but a message; its sender does not follow the protocol. */
  receive(text: string): Promise<void> | undefined {
    const message = parseObject(text)
    if (message === null) throw new Error('not a JSON object')
    const { id, method, cancel, read } = message
    if (typeof cancel === 'number') this.#calls.get(cancel)?.abort.abort()
    else if (typeof read === 'number') this.#wasRead(read, Number(message['count']))
    else if (typeof id === 'number' && this.#calls.has(id)) throw new Error(`call ${id} is open already`)
    else if (typeof id === 'number' && typeof method === 'string') return this.#answer(id, method, message)
    else throw new Error('neither a call nor a cancellation')
    return undefined
  }

  close(): void {
    for (const { abort } of this.#calls.values()) abort.abort()
    this.#calls.clear()
  }

  #wasRead(id: number, count: number): void {
    const call = this.#calls.get(id)
    // A reader cannot have read more than was sent.
    if (call === undefined || !(count > 0)) return
    call.unread = Math.max(0, call.unread - count)
    call.wake()
  }

  async #answer(id: number, method: string, { params, options }: JsonObject): Promise<void> {
    const call: OpenCall = { abort: new AbortController(), unread: 0, ahead: streamEventsAheadMax, wake: () => {} }
    this.#calls.set(id, call)
    try {
      const result = await this.#call(id, method, { params, options, call })
      this.#send({ id, result })
    } catch (error) {
      this.#send({ id, error: toWireError(error) })
    } finally {
      this.#calls.delete(id)
    }
  }

  async #call(
    id: number,
    method: string,
    { params, options = {}, call }: { readonly params: unknown; readonly options: unknown; readonly call: OpenCall },
  ): Promise<unknown> {
    const { client } = this.#options
    const { signal } = call.abort
    const fields = isObject(params) ? params : {}
    if (method === 'daemon.status') return client.control.status()
    if (method === 'daemon.stop') {
      await client.control.stop({ all: fields['all'] === true })
      return {}
    }
    if (method === 'follow') {
      const { terminalId, ahead, ...options } = parseFollow(params)
      call.ahead = ahead ?? streamEventsAheadMax
      return this.#stream(id, call, async function* () {
        for await (const event of client.follow(terminalId, { ...options, signal })) yield toWireEvent(event)
      })
    }
    if (method === 'watch')
      return this.#stream(id, call, () =>
        fields['overview'] === true ? client.watch({ overview: true, signal }) : client.watch({ signal }),
      )
    // The client parses what came over the wire, once.
    if (method === 'tool')
      return client.tools.call(fields['toolset'] as never, String(fields['tool']), fields['input'] as never, { signal })
    if (!isVerbName(method)) {
      throw invalidInput(`No verb "${method}".`, `Verbs: ${Object.keys(verbs).join(', ')}.`)
    }
    const progress = (waitedMs: number, totalMs: number) => this.#send({ progress: id, waitedMs, totalMs })
    const wanted = parseInput(wireOptions, options, { name: 'options', example: { outputBytes: outputBytesDefault } })
    return client.call(method, params as never, defined({ ...wanted, signal, progress }))
  }

  /** A slow receiver delays only its own events. */
  async #stream(id: number, call: OpenCall, open: () => AsyncIterable<object>): Promise<unknown> {
    const { room } = this.#options
    const { signal } = call.abort
    if (this.#streams >= followsPerClientMax)
      throw limitReached(`${this.#streams} are followed already.`, 'End one of them first.')
    this.#streams++
    const wake = () => call.wake()
    signal.addEventListener('abort', wake)
    try {
      for await (const data of open()) {
        const waiting = room(signal)
        if (waiting !== null) await waiting
        this.#send({ event: id, data })
        call.unread += 1
        while (call.unread >= call.ahead && !signal.aborted) await new Promise<void>((resolve) => (call.wake = resolve))
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#streams--
    }
    return {}
  }

  #send(message: JsonObject): void {
    this.#options.send(JSON.stringify(message))
  }
}
