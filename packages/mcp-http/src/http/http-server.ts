/**
 * The daemon over HTTP, on this machine only. Here requests are admitted, counted and routed; the routes know what they
 * mean.
 *
 * A wait may last as long as its caller likes: only receiving a request is limited in time, never answering it.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  defined,
  httpCheckMs,
  httpConnectionsMax,
  httpHeadMs,
  httpReceiveMs,
  httpRequestsMax,
  httpStuckMs,
  isTermError,
  limitReached,
  messageBytesMax,
} from '@agentpty/protocol'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { SharedBounds } from '@agentpty/protocol/wire'
import { type Refusal, refuseForeign, refuseStranger, type TokenPlace, tokenIn } from './guard.ts'
import { refuseUpgrade, serveUpgrades, type Upgrade } from './upgrades.ts'

/** `scope`: what the caller sees at most; null for one that sees all. */
export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  scope: CallerScope | null,
) => void | Promise<void>

export interface HttpRoute {
  readonly serve: Route
  /** Anybody on this machine may ask, without the token. */
  readonly isOpen?: true
  /** The route checks the origin of a request itself. */
  readonly isGuarded?: true
  /** The places of the token in a request; default: `Authorization: Bearer`. */
  readonly tokenPlaces?: readonly TokenPlace[]
}

/** All paths below a prefix; some of them may be open. */
export interface HttpTree {
  readonly routeOf: (path: string) => HttpRoute | undefined
  /** Its WebSockets: they need the token, like any other route. */
  readonly upgrades: readonly (Upgrade & Pick<HttpRoute, 'tokenPlaces'>)[]
}

/** A part of the server with paths and an upgrade of its own. */
export interface PageRoute {
  readonly owns: (path: string) => boolean
  readonly serve: Route
  readonly upgrade: Upgrade
}

export interface HttpServerOptions {
  /** The ports to try, the first one first; another one when all are taken. 0: any. */
  readonly ports: readonly number[]
  /** Read again when a wrong token comes, because the file may have changed. Null: any process on this machine may ask. */
  readonly token: (() => string) | null
  /** The scope of another token; null for one that is none. */
  readonly scopeOf: (token: string) => CallerScope | null
  /** The bounds that a daemon's connections share; null for a server without a daemon. */
  readonly shared: SharedBounds | null
  readonly routes: ReadonlyMap<string, HttpRoute>
  readonly trees: readonly HttpTree[]
  /** The page; null for a server without one. */
  readonly page: PageRoute | null
}

const address = '127.0.0.1'
const usualPlaces: readonly TokenPlace[] = ['bearer']
/** The methods of all routes. */
const allow = 'GET, POST, DELETE, OPTIONS'

export class HttpServer {
  readonly #options: HttpServerOptions
  readonly #server: Server
  /** Connections without an open answer, the one that has been idle the longest first. */
  readonly #idle = new Set<Socket>()
  /** Connections that are counted already and come once more. */
  readonly #again = new WeakSet<object>()
  #token: string | null
  #open = 0
  #connections = 0
  #wasUsed = false

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#token = options.token?.() ?? null
    const times = {
      requestTimeout: httpReceiveMs,
      headersTimeout: httpHeadMs,
      connectionsCheckingInterval: httpCheckMs,
    }
    this.#server = createServer(times, (request, response) => this.#handle(request, response))
    this.#server.on('connection', (socket) => this.#admit(socket))
    this.#server.timeout = httpStuckMs
    this.#server.on('timeout', (socket) => this.#letGo(socket))
    this.#serveUpgrades()
  }

  /** Errors: `limit_reached` when no port is free. */
  async listen(): Promise<void> {
    let error: Error | null = null
    for (const port of [...this.#options.ports, 0]) {
      error = await this.#try(port)
      if (error === null) return
    }
    if (error !== null)
      throw limitReached(`Cannot listen on ${address}: ${error.message}.`, 'Set httpPort to null to do without.')
  }

  /** A client with the token has connected. */
  get wasUsed(): boolean {
    return this.#wasUsed
  }

  get port(): number {
    const bound = this.#server.address()
    return typeof bound === 'object' ? (bound?.port ?? 0) : 0
  }

  get url(): string {
    return `http://${address}:${this.port}`
  }

  /** Open answers are cut off: their callers ask the next daemon. */
  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #try(port: number): Promise<Error | null> {
    return new Promise((resolve) => {
      const failed = (error: Error) => resolve(error)
      this.#server.once('error', failed)
      this.#server.listen(port, address, () => {
        this.#server.off('error', failed)
        resolve(null)
      })
    })
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').replace(/[?#].*$/s, '')
    const route = this.#routeOf(path)
    const scope = this.#scopeIn(request, route)
    const refusal =
      (route?.isGuarded === true ? null : refuseForeign(request.headers)) ??
      (scope === null ? this.#refuseStranger(request, route) : null)
    if (refusal !== null) refuse(response, refusal)
    // The preflight request of a page. The answer allows nothing beyond what a page may do without one.
    else if (request.method === 'OPTIONS' && route !== undefined && route.isGuarded !== true)
      response.writeHead(204, { allow }).end()
    else if (route === undefined) sendJson(response, 404, { error: 'Not found', path })
    else if (Number(request.headers['content-length'] ?? 0) > messageBytesMax) refuseBody(request, response)
    else if (this.#open >= httpRequestsMax) sendJson(response, 503, tooMany, { 'retry-after': '1' })
    else void this.#serve(route, request, { response, scope })
  }

  #routeOf(path: string): HttpRoute | undefined {
    const { routes, page, trees } = this.#options
    if (page?.owns(path) === true) return { serve: page.serve, isOpen: true, isGuarded: true }
    const route = routes.get(path)
    if (route !== undefined) return route
    for (const tree of trees) {
      const found = tree.routeOf(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  #serveUpgrades(): void {
    const { page, trees } = this.#options
    const known = trees.flatMap(({ upgrades }) => upgrades.map((upgrade) => this.#forKnown(upgrade)))
    const upgrades = [...(page === null ? [] : [page.upgrade]), ...known].map(
      ({ path, serve }): Upgrade => ({
        path,
        serve: (request, socket, head) => {
          // It is in use from now on, and is not closed for others; its handler bounds how many there are.
          this.#idle.delete(request.socket)
          serve(request, socket, head)
        },
      }),
    )
    if (upgrades.length > 0) serveUpgrades(this.#server, upgrades, (socket) => this.#again.add(socket))
  }

  /** Restricts an upgrade to clients of this machine that send the token. */
  #forKnown(upgrade: HttpTree['upgrades'][number]): Upgrade {
    const { path, serve, tokenPlaces } = upgrade
    return {
      path,
      serve: (request, socket, head) => {
        const route = defined({ serve: () => {}, tokenPlaces })
        const refusal = refuseForeign(request.headers) ?? this.#refuseStranger(request, route)
        if (refusal !== null) return refuseUpgrade(socket, refusal)
        this.#wasUsed = true
        serve(request, socket, head)
      },
    }
  }

  /** Idle connections make room for new ones. */
  #admit(socket: Socket): void {
    if (this.#again.delete(socket)) return
    this.#connections++
    this.#options.shared?.unsent.add(socket)
    this.#idle.add(socket)
    socket.once('close', () => {
      this.#connections--
      this.#idle.delete(socket)
    })
    if (this.#connections <= httpConnectionsMax) return
    const [oldest = socket] = this.#idle
    this.#idle.delete(oldest)
    oldest.destroy()
  }

  async #mayBegin(response: ServerResponse): Promise<void> {
    const { shared } = this.#options
    if (shared === null) return
    const { gate, unsent } = shared
    unsent.bound()
    if (gate.isFull) await new Promise<void>((begin) => gate.wait(begin))
    response.once('close', gate.enter())
  }

  /** Called after some time without traffic. Closes the connection unless its client waits for a response. */
  #letGo(socket: Socket): void {
    if (socket.writableLength > 0 || this.#idle.has(socket)) socket.destroy()
  }

  #refuseStranger({ headers, method }: IncomingMessage, route: HttpRoute | undefined): Refusal | null {
    const { token } = this.#options
    const isOpen = route === undefined || route.isOpen === true || method === 'OPTIONS'
    if (isOpen || token === null) return null
    const places = route.tokenPlaces ?? usualPlaces
    if (refuseStranger(headers, this.#token ?? '', places) === null) return null
    this.#token = token()
    return refuseStranger(headers, this.#token, places)
  }

  /** Null without the token of a scope. */
  #scopeIn({ headers }: IncomingMessage, route: HttpRoute | undefined): CallerScope | null {
    const given =
      route === undefined || route.isOpen === true ? null : tokenIn(headers, route.tokenPlaces ?? usualPlaces)
    return given === null ? null : this.#options.scopeOf(given)
  }

  async #serve(
    route: HttpRoute,
    request: IncomingMessage,
    { response, scope }: { readonly response: ServerResponse; readonly scope: CallerScope | null },
  ): Promise<void> {
    this.#open++
    this.#wasUsed ||= route.isOpen !== true
    const { socket } = request
    if (route.isOpen !== true) this.#idle.delete(socket)
    response.once('close', () => {
      this.#open--
      if (!socket.destroyed) this.#idle.add(socket)
    })
    try {
      await this.#mayBegin(response)
      await route.serve(request, response, scope)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else if (isTermError(error))
        sendJson(response, 400, { error: { code: error.code, message: error.message, hint: error.hint } })
      else
        sendJson(response, 500, { error: { code: 'internal', message: String(error), hint: 'Run: agentpty doctor' } })
    }
  }
}

const tooMany = {
  error: {
    code: 'limit_reached',
    message: `${httpRequestsMax} requests are open.`,
    hint: 'Let one of them end first.',
  },
}

/** The body is read all the same: a client that is cut off while it writes does not get to read the error. */
function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  const message = `A request may have ${messageBytesMax} bytes.`
  sendJson(response, 413, { error: { code: 'message_too_large', message, hint: 'Send it in parts.' } })
}

function refuse(response: ServerResponse, { status, ...error }: Refusal): void {
  sendJson(response, status, { error }, status === 401 ? { 'www-authenticate': 'Bearer realm="agentpty"' } : {})
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
