/** A client of a daemon: verbs over its socket. */

import type { Socket } from 'node:net'
import type { CallContext } from '../../contracts/call/operation.ts'
import type { OperationInput, OperationName, OperationOutput } from '../../contracts/call/operations.ts'
import type { LiveClient } from '../../contracts/client.ts'
import { TermError } from '../../contracts/errors.ts'
import type { ToolAnswer, ToolsetName } from '../../contracts/mcp/toolset.ts'
import type { FollowOptions, SessionEvent } from '../../contracts/session/events.ts'
import type { DaemonStatus } from '../../contracts/wire/daemon.ts'
import { type JsonObject, LineSplitter, parseObject } from '../../contracts/wire/json-lines.ts'
import { fromWireError, fromWireEvent } from './messages.ts'

interface OpenCall {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly progress: CallContext['progress']
  readonly event: (data: unknown) => void
}

export class RpcClient implements LiveClient {
  readonly #socket: Socket
  readonly #lines = new LineSplitter()
  readonly #calls = new Map<number, OpenCall>()
  #lastId = 0
  #isGone = false

  /** Takes over a connection whose hellos have been exchanged. */
  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('close', () => this.#lost())
    socket.on('error', () => socket.destroy())
  }

  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    context: Partial<CallContext> = {},
  ): Promise<OperationOutput<Name>> {
    return this.#ask(name, input, context) as Promise<OperationOutput<Name>>
  }

  async *follow(terminalId: string, { output, frames, turn, signal }: FollowOptions): AsyncGenerator<SessionEvent> {
    const arrived: SessionEvent[] = []
    let wake = () => {}
    let ending: { readonly error: unknown } | null = null
    const over = new AbortController()
    const since = output === undefined ? {} : { since: output.since }
    const params = { terminalId, ...since, ...(frames === undefined ? {} : { frames }), turn: turn ?? false }
    const ended = (error: unknown) => {
      ending = { error }
      wake()
    }
    const event = (data: unknown) => {
      arrived.push(fromWireEvent(data))
      wake()
    }
    const signals = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal])
    this.#ask('follow', params, { signal: signals }, event).then(() => ended(null), ended)
    try {
      while (ending === null || arrived.length > 0) {
        const next = arrived.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      if ((ending as { error: unknown }).error !== null) throw (ending as { error: unknown }).error
    } finally {
      over.abort()
    }
  }

  /** What an MCP client of that toolset would call. Errors: any of its tool. */
  callTool(toolset: ToolsetName, tool: string, input: JsonObject): Promise<ToolAnswer> {
    return this.#ask('tool', { toolset, tool, input }) as Promise<ToolAnswer>
  }

  status(): Promise<DaemonStatus> {
    return this.#ask('daemon.status', {}) as Promise<DaemonStatus>
  }

  async stop(options: { readonly all: boolean }): Promise<void> {
    await this.#ask('daemon.stop', options)
  }

  async close(): Promise<void> {
    this.#socket.destroy()
  }

  #ask(
    method: string,
    params: unknown,
    context: Partial<CallContext> = {},
    event: (data: unknown) => void = () => {},
  ): Promise<unknown> {
    const id = ++this.#lastId
    const { signal, progress } = context
    return new Promise((resolve, reject) => {
      if (this.#isGone) {
        reject(daemonGone())
        return
      }
      const cancel = () => this.#send({ cancel: id })
      const settle =
        <Value>(tell: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', cancel)
          tell(value)
        }
      this.#calls.set(id, { resolve: settle(resolve), reject: settle(reject), progress, event })
      this.#send({ id, method, params })
      signal?.addEventListener('abort', cancel, { once: true })
      if (signal?.aborted) cancel()
    })
  }

  #send(message: JsonObject): void {
    this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  #receive(bytes: Buffer): void {
    for (const line of this.#lines.push(bytes)) this.#handle(parseObject(line) ?? {})
  }

  #handle(message: JsonObject): void {
    const { id, progress, event, result, error } = message
    if (typeof event === 'number') {
      this.#calls.get(event)?.event(message['data'])
      return
    }
    if (typeof progress === 'number') {
      this.#calls.get(progress)?.progress?.(Number(message['waitedMs']), Number(message['totalMs']))
      return
    }
    if (typeof id !== 'number') return
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(fromWireError(error))
  }

  #lost(): void {
    this.#isGone = true
    for (const { reject } of this.#calls.values()) reject(daemonGone())
    this.#calls.clear()
  }
}

export function daemonGone(): TermError {
  return new TermError(
    'daemon_gone',
    'The agentpty daemon ended during the call. No terminal and no output is lost.',
    'Call again: a new daemon takes the terminals over. Were you typing? Then look first with terminal_read since your last cursor: it may have arrived.',
  )
}
