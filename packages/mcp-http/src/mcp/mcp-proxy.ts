/**
 * `agentpty mcp`: MCP over stdio, passed on to the daemon.
 *
 * It keeps just enough to survive the daemon: the calls in flight and the opening of an old-era client. The calls then fail with an error
 * that says to retry, and the opening is sent again to the next daemon. The client notices nothing else.
 * Nothing piles up here: while one side does not read, we do not read from the other.
 */

import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { type Clock, isTermError, lastAnswersMsMax, unsentBytesFull } from '@agentpty/protocol'
import { errorInDoorWords, type ToolsetName } from '@agentpty/protocol/mcp'
import { daemonGone, type JsonObject, LineSplitter, parseObject } from '@agentpty/protocol/wire'

export interface McpProxyOptions {
  readonly input: Readable
  readonly output: Writable
  /** A fresh connection to a daemon, hellos exchanged. */
  readonly connect: () => Promise<Socket>
  readonly clock: Clock
  /** The toolset whose words errors use; default: our own. */
  readonly toolset?: ToolsetName
}

type RequestId = string | number

/** An id that no client would choose. */
const replayId = 'agentpty:reopen'

export class McpProxy {
  readonly #options: McpProxyOptions
  /** Requests the daemon has not answered, with their method. */
  readonly #open = new Map<RequestId, string>()
  #socket: Promise<Socket> | null = null
  /** The same, once it is connected. */
  #connected: Socket | null = null
  #opening: readonly string[] = []
  #queue: Promise<void> = Promise.resolve()
  /** Bytes of lines that have not been passed on. */
  #queuedCharacters = 0
  /** Called when everything is answered and the client has closed its end. */
  #allAnswered: () => void = () => {}

  constructor(options: McpProxyOptions) {
    this.#options = options
  }

  /** Resolves when the client has closed its end, and has its answers if they do not take long. */
  run(): Promise<void> {
    const { input, output } = this.#options
    const lines = new LineSplitter()
    // The daemon is needed for every answer: it is found, or started, before the first request.
    this.#connection().catch(() => undefined)
    return new Promise((resolve) => {
      const end = () => {
        void this.#socket?.then((socket) => socket.destroy()).catch(() => undefined)
        resolve()
      }
      input.on('data', (bytes: Buffer) => {
        try {
          for (const line of lines.push(bytes)) this.#fromClient(line)
          // The end of the input is passed on behind all of it: not while there is little.
          if (this.#queuedCharacters > unsentBytesFull) input.pause()
        } catch (error) {
          // The message is too long, so the start of the next one is unknown.
          const message = error instanceof Error ? error.message : String(error)
          this.#answer({ id: null, error: { code: -32_700, message } })
          end()
        }
      })
      input.once('end', () => this.#endWhenAnswered(end))
      input.once('error', end)
      output.once('error', end)
    })
  }

  /** A client that pipes its requests in still reads answers. Waits and subscriptions are given up. */
  #endWhenAnswered(end: () => void): void {
    const { clock } = this.#options
    const cancel = clock.callAt(clock.now() + lastAnswersMsMax, end)
    this.#allAnswered = () => {
      cancel()
      end()
    }
    if (this.#open.size === 0) this.#allAnswered()
  }

  #answered(id: RequestId): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#allAnswered()
  }

  #fromClient(line: string): void {
    const isForwarded = this.#forwardAtOnce(line)
    const message = parseObject(line) ?? {}
    const { id, method } = message
    if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) this.#open.set(id, method)
    if (method === 'initialize') this.#opening = [line]
    if (method === 'notifications/initialized') this.#opening = [...this.#opening.slice(0, 1), line]
    if (isForwarded) return
    // One after the other, even while a connection is being made: order is part of the protocol.
    this.#queuedCharacters += line.length
    this.#queue = this.#queue.then(() => this.#forward(line, message)).then(() => this.#forwarded(line))
  }

  /** Before the line is read here: the daemon reads it meanwhile. False where earlier lines, or the daemon, come first. */
  #forwardAtOnce(line: string): boolean {
    const socket = this.#connected
    if (socket === null || socket.writableNeedDrain || this.#queuedCharacters > 0) return false
    socket.write(`${line}\n`)
    return true
  }

  #forwarded(line: string): void {
    this.#queuedCharacters -= line.length
    const { input } = this.#options
    if (input.isPaused() && this.#queuedCharacters === 0) input.resume()
  }

  async #forward(line: string, message: JsonObject): Promise<void> {
    try {
      const socket = await this.#connection()
      if (!socket.write(`${line}\n`)) await drained(socket)
    } catch (error) {
      this.#socket = null
      const { id } = message
      if (typeof id === 'string' || typeof id === 'number') this.#fail(id, error)
    }
  }

  #connection(): Promise<Socket> {
    this.#socket ??= this.#connect(this.#opening)
    return this.#socket
  }

  async #connect(opening: readonly string[]): Promise<Socket> {
    const { output } = this.#options
    const socket = await this.#options.connect()
    const lines = new LineSplitter()
    socket.on('data', (bytes) => {
      for (const line of lines.push(bytes)) this.#fromDaemon(line)
      if (!output.writableNeedDrain) return
      socket.pause()
      output.once('drain', () => socket.resume())
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#lost())
    const [initialize, initialized] = opening
    if (initialize !== undefined && initialized !== undefined) {
      socket.write(`${JSON.stringify({ ...parseObject(initialize), id: replayId })}\n${initialized}\n`)
    }
    this.#connected = socket
    return socket
  }

  #fromDaemon(line: string): void {
    const isReplay = line.includes(replayId) && parseObject(line)?.['id'] === replayId
    if (isReplay) return
    this.#options.output.write(`${line}\n`)
    const { id, method } = parseObject(line) ?? {}
    if (method === undefined && (typeof id === 'string' || typeof id === 'number')) this.#answered(id)
  }

  #lost(): void {
    this.#socket = null
    this.#connected = null
    const gone = errorInDoorWords(this.#options.toolset ?? 'terminal', daemonGone())
    for (const id of [...this.#open.keys()]) this.#fail(id, gone)
  }

  #fail(id: RequestId, error: unknown): void {
    const method = this.#open.get(id)
    if (method === undefined) return
    const message = error instanceof Error ? error.message : String(error)
    const failure = isTermError(error)
      ? { code: error.code, message, hint: error.hint }
      : { code: 'internal', message, hint: 'Run: agentpty doctor' }
    const answer =
      method === 'tools/call'
        ? { result: errorResult(failure) }
        : { error: { code: -32_603, message: `${failure.message} ${failure.hint}` } }
    this.#answer({ id, ...answer })
    this.#answered(id)
  }

  #answer(answer: JsonObject): void {
    this.#options.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`)
  }
}

/** Resolves when the bytes have been written, or never will be. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      socket.off('drain', over)
      socket.off('close', over)
      resolve()
    }
    socket.once('drain', over)
    socket.once('close', over)
    if (socket.destroyed) over()
  })
}

/** Newer clients require a result's type, older ones ignore it. */
function errorResult(failure: { readonly code: string; readonly message: string; readonly hint: string }): JsonObject {
  const content = [{ type: 'text', text: JSON.stringify(failure) }]
  return { resultType: 'complete', isError: true, content, structuredContent: failure }
}
