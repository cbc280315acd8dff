/** Serves verbs to one connection. Its calls run side by side; when it goes away they are cancelled. */

import { isOperationName, operations } from '../../contracts/call/operations.ts'
import type { LiveClient } from '../../contracts/client.ts'
import { TermError } from '../../contracts/errors.ts'
import { followsPerClientMax } from '../../contracts/limits.ts'
import { type ToolAnswer, type Toolset, type ToolsetName, toolsetNames } from '../../contracts/mcp/toolset.ts'
import { parseFollow } from '../../contracts/session/events.ts'
import type { DaemonControl } from '../../contracts/wire/daemon.ts'
import { isObject, type JsonObject, parseObject } from '../../contracts/wire/json-lines.ts'
import { toWireError, toWireEvent } from './messages.ts'

export interface RpcServerOptions {
  readonly client: LiveClient
  readonly control: DaemonControl
  readonly toolset: (name: ToolsetName) => Promise<Toolset>
  readonly send: (line: string) => void
  /** Null when there is room for an event; else it resolves when there is, or when the receiver or the caller is gone. */
  readonly room: (signal: AbortSignal) => Promise<void> | null
}

/** Each command of the command line connects anew: to a door, which remembers its callers, all of them are one. */
const toolCaller = 'command-line'

export class RpcServer {
  readonly #options: RpcServerOptions
  readonly #calls = new Map<number, AbortController>()
  #follows = 0

  constructor(options: RpcServerOptions) {
    this.#options = options
  }

  /** Resolves when a call is answered. Errors: throws on a line that is no message; its sender is out of step. */
  receive(line: string): Promise<void> | undefined {
    const message = parseObject(line)
    if (message === null) throw new Error('not a JSON object')
    const { id, method, cancel } = message
    if (typeof cancel === 'number') this.#calls.get(cancel)?.abort()
    else if (typeof id === 'number' && this.#calls.has(id)) throw new Error(`call ${id} is open already`)
    else if (typeof id === 'number' && typeof method === 'string') return this.#answer(id, method, message['params'])
    else throw new Error('neither a call nor a cancellation')
    return undefined
  }

  close(): void {
    for (const call of this.#calls.values()) call.abort()
    this.#calls.clear()
  }

  async #answer(id: number, method: string, params: unknown): Promise<void> {
    const abort = new AbortController()
    this.#calls.set(id, abort)
    try {
      const result = await this.#call(id, method, params, abort.signal)
      this.#send({ id, result })
    } catch (error) {
      this.#send({ id, error: toWireError(error) })
    } finally {
      this.#calls.delete(id)
    }
  }

  async #call(id: number, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { client, control } = this.#options
    if (method === 'daemon.status') return control.status()
    if (method === 'daemon.stop') {
      await control.stop({ all: (params as { all?: boolean } | undefined)?.all === true })
      return {}
    }
    if (method === 'follow') return this.#follow(id, params, signal)
    if (method === 'tool') return this.#callTool(params, signal)
    if (!isOperationName(method)) {
      throw new TermError('invalid_input', `No verb "${method}".`, `Verbs: ${Object.keys(operations).join(', ')}.`)
    }
    const progress = (waitedMs: number, totalMs: number) => this.#send({ progress: id, waitedMs, totalMs })
    // The client parses the input: whatever came off the wire is checked there, once.
    return client.call(method, params as never, { signal, progress })
  }

  async #callTool(params: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { client, toolset } = this.#options
    const { toolset: asked, tool, input } = isObject(params) ? params : {}
    const name = toolsetNames.find((one) => one === asked)
    if (name === undefined) {
      throw new TermError('invalid_input', `No toolset "${asked}".`, `Toolsets: ${toolsetNames.join(', ')}.`)
    }
    const given = await toolset(name)
    if (given.tools.some((one) => one.name === tool))
      return given.call(String(tool), input, { client, caller: toolCaller, isForModel: false, signal })
    throw new TermError('invalid_input', `No tool "${tool}" in ${name}.`, '')
  }

  /** A slow receiver holds its own events up, and nobody else's. */
  async #follow(id: number, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { client, room } = this.#options
    const { terminalId, ...options } = parseFollow(params)
    if (this.#follows >= followsPerClientMax)
      throw new TermError('limit_reached', `${this.#follows} are followed already.`, 'End one of them first.')
    this.#follows++
    try {
      for await (const event of client.follow(terminalId, { ...options, signal })) {
        const waiting = room(signal)
        if (waiting !== null) await waiting
        this.#send({ event: id, data: toWireEvent(event) })
      }
    } finally {
      this.#follows--
    }
    return {}
  }

  #send(message: JsonObject): void {
    this.#options.send(`${JSON.stringify(message)}\n`)
  }
}
