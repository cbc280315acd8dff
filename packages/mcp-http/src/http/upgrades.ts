/**
 * Requests that ask for another protocol on their connection. Few paths have such a protocol; all others ignore the header, as HTTP allows.
 * Some clients ask for HTTP/2 with every request, and are served without it.
 *
 * With a listener for upgrades, Node stops reading a connection that asks for one. Therefore such a request is given to the server again,
 * without the header.
 */

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { messageBytesMax } from '@agentpty/protocol'
import type { Carrier } from '@agentpty/protocol/wire'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Refusal } from './guard.ts'

export interface Upgrade {
  readonly path: string
  readonly serve: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** `again`: called with a connection before it reaches the server a second time. */
export function serveUpgrades(server: Server, upgrades: readonly Upgrade[], again: (socket: Duplex) => void): void {
  server.on('upgrade', (request, socket, head) => {
    const asked = (request.url ?? '/').replace(/[?#].*$/s, '')
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    const upgrade = isWebSocket ? upgrades.find(({ path }) => path === asked) : undefined
    if (upgrade !== undefined) {
      socket.on('error', () => socket.destroy())
      upgrade.serve(request, socket, head)
      return
    }
    again(socket)
    socket.unshift(Buffer.concat([withoutWish(request), head]))
    server.emit('connection', socket)
  })
}

/** Answers a request that wanted to speak another protocol, and ends its connection. */
export function refuseUpgrade(
  socket: Duplex,
  { status, ...error }: Omit<Refusal, 'status'> & { readonly status: number },
): void {
  const body = JSON.stringify({ error })
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function withoutWish({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const kept = name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value
    if (name.toLowerCase() !== 'upgrade' && kept !== '') lines.push(`${name}: ${kept}`)
  }
  // Node reads heads in latin1.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const withoutUpgrade = (value: string): string =>
  value
    .split(',')
    .filter((one) => !/^\s*(upgrade|http2-settings)\s*$/i.test(one))
    .join(',')

export function makeWebSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({ noServer: true, clientTracking: false, maxPayload, perMessageDeflate: false })
}

interface TextHandlers {
  readonly message: (text: string) => void
  readonly closed: () => void
}

/** A connection that can be closed with a reason. */
interface TextCarrier extends Carrier {
  start(handlers: TextHandlers & { readonly drained: () => void }): void
  end(code: number, reason: string): void
}

interface TextSocketsOptions {
  readonly carry: (web: WebSocket, socket: Socket) => TextCarrier
  readonly open: (carrier: TextCarrier) => TextHandlers
}

const goingAway = 1001

/**
 * WebSockets for programs that sent the token: text messages in both directions. The handler of a connection is notified when it ends. A
 * client that breaks the protocol only closes its own connection.
 */
export class TextSockets {
  readonly #options: TextSocketsOptions
  readonly #open = new Set<TextCarrier>()
  readonly #server = makeWebSocketServer(messageBytesMax)

  constructor(options: TextSocketsOptions) {
    this.#options = options
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { carry, open } = this.#options
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const carrier = carry(opened, request.socket)
      this.#open.add(carrier)
      const handlers = open(carrier)
      // It may have been refused already.
      if (carrier.isClosed) this.#open.delete(carrier)
      else
        carrier.start({
          message: (text) => handlers.message(text),
          drained: () => {},
          closed: () => {
            this.#open.delete(carrier)
            handlers.closed()
          },
        })
    })
  }

  close(): void {
    for (const carrier of this.#open) carrier.end(goingAway, 'The server ends.')
  }
}
