/**
 * The socket of terminalcp, for clients that speak its protocol. It is a client of the daemon like any other: when it ends,
 * the sessions go on.
 */

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import {
  type Client,
  isTermError,
  limitReached,
  makeFolder,
  type Offset,
  type Size,
  type Stop,
} from '@agentpty/protocol'
import { isObject, type JsonObject, LineSplitter, parseObject } from '@agentpty/protocol/wire'
import { newestOffset, readRaw, statedFrom } from '../parts/raw-output.ts'
import { terminalOf } from './ids.ts'

export interface WireServerOptions {
  readonly path: string
  readonly connect: () => Promise<Client>
}

/** Only its user may connect. */
const socketMode = 0o600

/** Serves the socket at `path`; returns a function that ends this. Errors: `limit_reached` when another server has it. */
export async function serveWire({ path, connect: reach }: WireServerOptions): Promise<Stop> {
  makeFolder(dirname(path))
  if (await isServed(path)) {
    throw limitReached(`A terminalcp server has ${path} already.`, 'Use it, or end it first.')
  }
  rmSync(path, { force: true })
  const connections = new Set<SocketConnection>()
  const server = createServer((socket) => {
    const connection = new SocketConnection(socket, reach, (id, size) => {
      for (const one of connections) one.sendSize(id, size)
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  await listen(server, path)
  return () => {
    server.close()
    for (const connection of connections) connection.close()
  }
}

/** Prevents other users from connecting between the creation of the socket and the change of its mode. */
async function listen(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o777 & ~socketMode)
  try {
    server.listen(path)
    await once(server, 'listening')
  } finally {
    process.umask(mask)
  }
  chmodSync(path, socketMode)
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(path)
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}

/** A result, and what to do once it has been sent. */
interface Answered {
  readonly result: unknown
  readonly after?: () => void
}

/**
 * A client on terminalcp's socket, one JSON object a line.
 *
 *   → {id, type: 'request', args: {action, …}}
 *   ← {id, type: 'response', result | error}
 *   ← {type: 'event', event: 'output' | 'resize' | 'exit', sessionId, data}   after start and attach, until detach
 */
class SocketConnection {
  readonly #socket: Socket
  readonly #reach: () => Promise<Client>
  readonly #resized: (id: string, size: Size) => void
  readonly #lines = new LineSplitter()
  readonly #follows = new Map<string, AbortController>()
  #client: Promise<Client> | null = null

  /** `resized` is called when this client has changed a size: all attached clients get an event. */
  constructor(socket: Socket, reach: () => Promise<Client>, resized: (id: string, size: Size) => void) {
    this.#socket = socket
    this.#reach = reach
    this.#resized = resized
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#end())
  }

  sendSize(id: string, { cols, rows }: Size): void {
    if (this.#follows.has(id))
      this.#send({ type: 'event', event: 'resize', sessionId: id, cols, rows, data: { cols, rows } })
  }

  close(): void {
    this.#socket.destroy()
  }

  #end(): void {
    for (const follow of this.#follows.values()) follow.abort()
    // A client that could not be reached need not be closed.
    this.#client?.then((client) => client.close()).catch(() => undefined)
  }

  #receive(bytes: Buffer): void {
    try {
      for (const line of this.#lines.push(bytes)) void this.#answer(line)
    } catch {
      // The line is too long: what follows cannot be split into messages.
      this.#socket.destroy()
    }
  }

  async #answer(line: string): Promise<void> {
    const request = parseObject(line)
    const id = request === null ? 'invalid-request' : request['id'] || 'unknown'
    try {
      const { result, after } = await this.#act(request)
      this.#send({ id, type: 'response', result })
      after?.()
    } catch (error) {
      if (isTermError(error) && error.code === 'daemon_gone') this.#client = null
      this.#send({ id, type: 'response', error: error instanceof Error ? error.message : String(error) })
    }
  }

  async #act(request: JsonObject | null): Promise<Answered> {
    if (request === null) throw new Error('Invalid JSON')
    const { args } = request
    if (!isObject(args) || !args['action'] || !request['id']) throw new Error('Missing required fields')
    const { action } = args
    const id = String(args['id'])
    const client = await this.#connected()
    if (action === 'attach') return this.#attach(client, args)
    const text = await ask(client, args)
    if (action === 'start') return { result: text, after: () => void this.#follow(client, text, 0) }
    if (action === 'detach') this.#follows.get(id)?.abort()
    if (action === 'resize') this.#resized(id, { cols: Number(args['cols']), rows: Number(args['rows']) })
    // Clients take each line for a session.
    return { result: action === 'list' && text === 'No active sessions' ? '' : text }
  }

  async #connected(): Promise<Client> {
    this.#client ??= this.#reach()
    try {
      return await this.#client
    } catch (error) {
      this.#client = null
      throw error
    }
  }

  /** The output so far is in the result; all later output comes as events. */
  async #attach(client: Client, args: JsonObject): Promise<Answered> {
    const [rows, cols] = (await ask(client, { ...args, action: 'term-size' })).split(' ').map(Number)
    const id = String(args['id'])
    const since = await newestOffset(client, terminalOf(id))
    const { text, next } = await readRaw(client, terminalOf(id), since)
    return {
      result: { cols, rows, rawOutput: statedFrom(since, text) },
      after: () => void this.#follow(client, id, next),
    }
  }

  async #follow(client: Client, id: string, since: Offset): Promise<void> {
    this.#follows.get(id)?.abort()
    const follow = new AbortController()
    this.#follows.set(id, follow)
    const characters = new StringDecoder('utf8')
    try {
      for await (const event of client.follow(terminalOf(id), { output: { since }, signal: follow.signal })) {
        if (event.type === 'output') this.#sendEvent(id, 'output', characters.write(Buffer.from(event.bytes)))
        if (event.type === 'exit') this.#sendEvent(id, 'exit', { exitCode: event.exit.code, signal: event.exit.signal })
        await this.#drained()
      }
    } catch {
      // The daemon or the session is gone: the next request says so.
    } finally {
      if (this.#follows.get(id) === follow) this.#follows.delete(id)
    }
  }

  #sendEvent(sessionId: string, event: string, data: unknown): void {
    this.#send({ type: 'event', event, sessionId, data })
  }

  /** A slow client delays its own events and no other client's. */
  async #drained(): Promise<void> {
    const socket = this.#socket
    if (socket.writableNeedDrain && !socket.destroyed)
      await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }

  #send(message: JsonObject): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`)
  }
}

/** Errors: in the words of the door. */
async function ask(client: Client, args: JsonObject): Promise<string> {
  const { text, isError } = await client.tools.call('terminalcp', 'terminalcp', { args })
  if (isError === true) throw new Error(text)
  return text
}
