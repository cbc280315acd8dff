/** The proxies of all sandboxes: one for each terminal that has a list of hosts, for as long as that terminal is there. */

import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import {
  type Clock,
  isTermError,
  makeFolder,
  proxyConnectionsMax,
  proxyConnectMs,
  proxyHeadBytesMax,
  TermError,
} from '@agentpty/protocol'
import { isAllowedHost, isLocalAddress } from '@agentpty/protocol/sandbox'

/** A terminal that needs one. */
interface Needed {
  readonly folder: string
  readonly hosts: readonly string[]
}

export class Proxies {
  readonly #root: string
  readonly #clock: Clock
  readonly #open: OpenConnections = { count: 0 }
  readonly #proxies = new Map<string, AllowListProxy>()
  /** Opened for a terminal that is not there yet. */
  readonly #expected = new Set<string>()

  /** `root`: a private folder, whose path leaves room for that of a socket in a folder below it. */
  constructor(root: string, clock: Clock) {
    this.#root = root
    this.#clock = clock
  }

  /** For a terminal that is about to be opened. */
  async open(hosts: readonly string[]): Promise<{ readonly folder: string; readonly close: () => void }> {
    const folder = join(this.#root, `p-${randomBytes(4).toString('hex')}`)
    this.#expected.add(folder)
    await this.#listen({ folder, hosts })
    return { folder, close: () => this.#close(folder) }
  }

  /** Opens the proxies that are needed now, also those of an earlier daemon, and closes all others. */
  async keep(needed: readonly Needed[]): Promise<void> {
    const folders = new Set(needed.map(({ folder }) => folder))
    for (const folder of folders) this.#expected.delete(folder)
    for (const folder of this.#proxies.keys())
      if (!folders.has(folder) && !this.#expected.has(folder)) this.#close(folder)
    await Promise.all(needed.filter(({ folder }) => !this.#proxies.has(folder)).map((one) => this.#listen(one)))
  }

  async #listen({ folder, hosts }: Needed): Promise<void> {
    const proxy = new AllowListProxy({ folder, hosts, open: this.#open, clock: this.#clock })
    this.#proxies.set(folder, proxy)
    await proxy.listen()
  }

  #close(folder: string): void {
    this.#expected.delete(folder)
    this.#proxies.get(folder)?.close()
    this.#proxies.delete(folder)
  }
}

/** Counts what all proxies have open. */
interface OpenConnections {
  count: number
}

interface ProxyOptions {
  /** Its own folder, which it makes and removes; the socket in it is `proxy.sock`. */
  readonly folder: string
  readonly hosts: readonly string[]
  readonly open: OpenConnections
  readonly clock: Clock
}

/**
 * The only way out of a sandbox whose network is a list of hosts: a proxy for HTTP at a Unix socket. It takes CONNECT, and plain requests
 * with a whole address. The caller passes the list of allowed hosts.
 *
 * It resolves names itself. The address of a name must not be one of this machine or of a network around it, unless the list contains that
 * address. Otherwise the operator of a name server could lead the program anywhere.
 */
class AllowListProxy {
  readonly folder: string
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()

  constructor(options: ProxyOptions) {
    this.#options = options
    this.folder = options.folder
    this.#server = createServer({ maxHeaderSize: proxyHeadBytesMax, headersTimeout: proxyConnectMs })
    this.#server.on('connection', (socket) => this.#count(socket))
    this.#server.on('connect', (message, socket, head) => void this.#tunnel(message, socket, head))
    this.#server.on('request', (message, response) => void this.#forward(message, response))
    this.#server.on('clientError', (_error, socket) => void socket.destroy())
  }

  /** Errors: those of making a folder and a socket. */
  async listen(): Promise<void> {
    makeFolder(this.folder)
    const path = join(this.folder, 'proxy.sock')
    rmSync(path, { force: true })
    await new Promise<void>((settle, fail) => {
      this.#server.once('error', fail)
      this.#server.listen(path, () => settle())
    })
    chmodSync(path, 0o600)
    this.#server.unref()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #count(socket: Socket): void {
    const { open } = this.#options
    if (open.count >= proxyConnectionsMax) return void socket.destroy()
    open.count++
    this.#sockets.add(socket)
    socket.once('close', () => {
      open.count--
      this.#sockets.delete(socket)
    })
  }

  async #tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    // The client is gone and needs no report.
    client.on('error', () => client.destroy())
    try {
      const { host, port } = parseAuthority(message.url ?? '')
      const server = connect({ host: await this.#addressOf(host, port), port })
      const { clock } = this.#options
      const stopWaiting = clock.callAt(clock.now() + proxyConnectMs, () => server.destroy())
      server.once('connect', () => {
        stopWaiting()
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        server.write(head)
        server.pipe(client)
        client.pipe(server)
      })
      server.once('close', stopWaiting)
      server.once('close', () => client.destroy())
      server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
      client.once('close', () => server.destroy())
    } catch (error) {
      client.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${reasonOf(error)}\n`)
    }
  }

  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(message.url ?? '')
      if (url.protocol !== 'http:') throw new TermError('denied', `No proxy for ${url.protocol}`, '')
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const port = Number(url.port || 80)
      const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = message.headers
      const onward = request({
        host: await this.#addressOf(host, port),
        port,
        method: message.method,
        path: `${url.pathname}${url.search}`,
        // The host is the name that was judged, whatever the program's own header says.
        headers: { ...headers, host: url.host },
        timeout: proxyConnectMs,
      })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
      response.once('close', () => onward.destroy())
      message.pipe(onward)
    } catch (error) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${reasonOf(error)}\n`)
    }
  }

  /** Errors: `denied`. */
  async #addressOf(host: string, port: number): Promise<string> {
    const { hosts } = this.#options
    if (!isAllowedHost(hosts, host, port)) throw notAllowed(host)
    if (isIP(host) !== 0 || host.toLowerCase() === 'localhost') return host
    const { address } = await lookup(host)
    if (isLocalAddress(address))
      throw new TermError('denied', `${host} leads to ${address}, which is not on the list.`, '')
    return address
  }
}

/** Errors: `denied` for what is no host with a port. */
function parseAuthority(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined) throw notAllowed(text)
  return { host, port: Number(port) }
}

function notAllowed(host: string): TermError {
  const shown = host.replaceAll(/[^\w.:-]/g, '?').slice(0, 100)
  return new TermError('denied', `agentpty: this sandbox may not reach ${shown}.`, '')
}

function reasonOf(error: unknown): string {
  return isTermError(error) ? error.message : 'agentpty: this host cannot be reached.'
}
