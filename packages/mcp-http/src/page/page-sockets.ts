/**
 * The WebSockets of pages. Each is admitted by where it comes from, and signs what it is given before it is heard: no cookie, no address
 * and no message of another socket opens it. What it says after that is for the wire.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { build, type Clock, version } from '@agentpty/protocol'
import {
  closeCodes,
  type Device,
  type DeviceEvent,
  type Devices,
  type PageHello,
  type PageNotice,
  pageMessageBytesMax,
  pagePingMs,
  pageSocketsMax,
  signatureMs,
  signedText,
  tabName,
  unsignedSocketsMax,
} from '@agentpty/protocol/page'
import { type Carrier, isObject, parseObject } from '@agentpty/protocol/wire'
import type { WebSocket } from 'ws'
import { makeWebSocketServer, refuseUpgrade } from '../http/upgrades.ts'
import { type PageAddresses, refuseAddress, refuseElsewhere } from './page-guard.ts'

/** Handlers of a page that has signed in. */
export interface PageHandlers {
  readonly message: (text: string) => void
  /** The page has read some of what waited for it. */
  readonly drained: () => void
  readonly closed: () => void
}

interface PageSocketsOptions {
  readonly clock: Clock
  readonly devices: Devices
  readonly addresses: () => PageAddresses
  /** `tab`: which page of the device it is; null where it has not said so. */
  readonly open: (carrier: Carrier, device: Device, tab: string | null) => PageHandlers
}

interface Unsigned {
  readonly nonce: string
  readonly host: string
}

interface Page {
  readonly carrier: SocketCarrier
  readonly deviceId: string
}

export class PageSockets {
  readonly #options: PageSocketsOptions
  readonly #server = makeWebSocketServer(pageMessageBytesMax)
  /** The oldest first. */
  readonly #unsigned = new Set<SocketCarrier>()
  readonly #pages = new Map<SocketCarrier, Page>()
  #wasUsed = false

  constructor(options: PageSocketsOptions) {
    this.#options = options
    options.devices.onChange((event) => this.#changed(event))
  }

  /** A page has signed in: it comes back, and could not start the next server. */
  get wasUsed(): boolean {
    return this.#wasUsed
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { headers, url = '/' } = request
    const addresses = this.#options.addresses()
    const refusal = refuseAddress(headers, url, addresses) ?? refuseElsewhere(headers, addresses, 'upgrade')
    if (refusal !== null) {
      const { status, message, hint } = refusal
      refuseUpgrade(socket, { status, code: 'forbidden', message, hint })
      return
    }
    this.#server.handleUpgrade(request, socket, head, (opened) =>
      this.#greet(new SocketCarrier(opened, request.socket), headers.host ?? ''),
    )
  }

  /** Sent to all pages whose devices may do everything. */
  #notify(notice: PageNotice, except: string): void {
    const text = JSON.stringify(notice)
    for (const { carrier, deviceId } of this.#pages.values()) {
      const isRecipient = deviceId !== except && this.#options.devices.find(deviceId)?.access.kind === 'all'
      if (isRecipient) carrier.send(text)
    }
  }

  close(): void {
    for (const carrier of [...this.#unsigned, ...this.#pages.keys()])
      carrier.end(closeCodes.tryAgain, 'The server ends.')
  }

  #greet(carrier: SocketCarrier, host: string): void {
    const { clock, devices } = this.#options
    const unsigned: Unsigned = { nonce: randomBytes(32).toString('base64url'), host }
    this.#makeRoom()
    this.#unsigned.add(carrier)
    const stopTimer = clock.callAt(clock.now() + signatureMs, () => carrier.end(closeCodes.signedOut, 'Not signed in.'))
    carrier.start({
      message: (text) => {
        stopTimer()
        this.#unsigned.delete(carrier)
        this.#signIn(carrier, text, unsigned)
      },
      drained: () => {},
      closed: () => {
        stopTimer()
        this.#unsigned.delete(carrier)
      },
    })
    const hello: PageHello = { hello: 1, nonce: unsigned.nonce, instance: devices.instance, version, build }
    carrier.send(JSON.stringify(hello))
  }

  /** Closes pages that have not signed in, to accept new ones. */
  #makeRoom(): void {
    const [oldest] = this.#unsigned
    if (this.#unsigned.size < unsignedSocketsMax || oldest === undefined) return
    this.#unsigned.delete(oldest)
    oldest.end(closeCodes.tryAgain, 'Others came.')
  }

  #signIn(carrier: SocketCarrier, text: string, { nonce, host }: Unsigned): void {
    const { devices } = this.#options
    const { signIn } = parseObject(text) ?? {}
    const { deviceId, signature, tab } = isObject(signIn) ? signIn : {}
    const isAsked = typeof deviceId === 'string' && typeof signature === 'string'
    const signed = signedText({ nonce, host, instance: devices.instance })
    const device = isAsked ? devices.recognize({ deviceId, signature, text: signed }) : null
    if (device === null) refuse(carrier, notSignedIn, closeCodes.signedOut)
    else if (this.#pages.size >= pageSocketsMax) refuse(carrier, tooMany, closeCodes.tryAgain)
    else this.#welcome(carrier, device, typeof tab === 'string' && tabName.test(tab) ? tab : null)
  }

  #welcome(carrier: SocketCarrier, device: Device, tab: string | null): void {
    carrier.send(JSON.stringify({ signedIn: { device } }))
    const page = { carrier, deviceId: device.deviceId }
    this.#pages.set(carrier, page)
    this.#wasUsed = true
    const handlers = this.#options.open(carrier, device, tab)
    carrier.start({
      ...handlers,
      closed: () => {
        this.#pages.delete(carrier)
        handlers.closed()
      },
    })
    this.#ping(page)
  }

  /** Ends a page that is gone, and one whose device may not look any more. */
  #ping({ carrier, deviceId }: Page): void {
    const { clock, devices } = this.#options
    clock.callAt(clock.now() + pagePingMs, () => {
      if (carrier.isClosed) return
      if (devices.find(deviceId) === null) carrier.end(closeCodes.signedOut, 'Not any more.')
      else if (carrier.ping()) this.#ping({ carrier, deviceId })
      else carrier.close()
    })
  }

  #changed({ type, device }: DeviceEvent): void {
    if (type === 'signedIn') this.#notify({ notice: { type, device } }, device.deviceId)
    if (type !== 'revoked') return
    for (const { carrier, deviceId } of this.#pages.values())
      if (deviceId === device.deviceId) carrier.end(closeCodes.signedOut, 'Signed out.')
  }
}

const notSignedIn = {
  code: 'denied',
  message: 'This browser is not signed in, or not any more.',
  hint: 'Run: agentpty open',
}

const tooMany = {
  code: 'limit_reached',
  message: `${pageSocketsMax} pages are open.`,
  hint: 'Close some of them.',
}

function refuse(carrier: SocketCarrier, error: typeof notSignedIn, code: number): void {
  carrier.send(JSON.stringify({ error }))
  carrier.end(code, error.message)
}

const noHandlers: PageHandlers = { message: () => {}, drained: () => {}, closed: () => {} }
const notText = 1003

/** A WebSocket as a carrier of messages. A client that breaks its protocol only closes its own connection. */
export class SocketCarrier implements Carrier {
  readonly #web: WebSocket
  readonly #socket: Socket
  #handlers = noHandlers
  /** The page has sent something since the last ping. */
  #isThere = true

  constructor(web: WebSocket, socket: Socket) {
    this.#web = web
    this.#socket = socket
    // Too large, not UTF-8, not masked: the library closes it with the code that says so.
    web.on('error', () => {})
    web.on('pong', () => {
      this.#isThere = true
    })
    web.on('message', (data, isBinary) => {
      this.#isThere = true
      if (this.#web.readyState !== this.#web.OPEN) return
      if (isBinary) this.end(notText, 'Text, please.')
      else this.#handlers.message(String(data))
    })
    web.once('close', () => this.#closed())
    socket.on('drain', () => this.#handlers.drained())
  }

  /** Delivers messages to these handlers from now on. */
  start(handlers: PageHandlers): void {
    this.#handlers = handlers
  }

  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  get isClosed(): boolean {
    return this.#web.readyState === this.#web.CLOSING || this.#web.readyState === this.#web.CLOSED
  }

  send(message: string): void {
    if (!this.isClosed) this.#web.send(message)
  }

  pause(): void {
    this.#web.pause()
  }

  resume(): void {
    this.#web.resume()
  }

  close(): void {
    this.#web.terminate()
  }

  /** Closes it with a reason that the page can distinguish. It does not wait for the page's closing frame, so a page cannot keep the connection. */
  end(code: number, reason: string): void {
    this.#web.close(code, reason)
    this.#closed()
    this.#socket.destroySoon()
  }

  #closed(): void {
    const { closed } = this.#handlers
    this.#handlers = noHandlers
    closed()
  }

  /** Asks whether the other end is there; false when it has not answered the last time. */
  ping(): boolean {
    if (!this.#isThere) return false
    this.#isThere = false
    this.#web.ping()
    return true
  }
}
