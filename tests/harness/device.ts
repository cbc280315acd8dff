/** A program that signs in to the page like a browser, with false data where a test wants it. */

import assert from 'node:assert/strict'
import { type PageHello, signedText } from '@agentpty/protocol/page'
import { WebSocket } from 'ws'
import { send } from './http.ts'

export const codeIn = (url: string): string => new URL(url).hash.slice('#c='.length)

/** The headers that the page sends with every request. */
export const asPage = (base: string): Readonly<Record<string, string>> => ({
  origin: base,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
})

export interface Key {
  readonly privateKey: CryptoKey
  readonly publicKey: string
}

export async function makeKey(): Promise<Key> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey)
  return { privateKey: pair.privateKey, publicKey: Buffer.from(raw).toString('base64url') }
}

export async function sign({ privateKey }: Key, text: string): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(text))
  return Buffer.from(signature).toString('base64url')
}

export interface Device {
  readonly base: string
  readonly deviceId: string
  readonly key: Key
}

export async function signIn(url: string): Promise<Device> {
  const base = new URL(url).origin
  const key = await makeKey()
  const body = JSON.stringify({ code: codeIn(url), publicKey: key.publicKey })
  const { status, body: text } = await send(`${base}/sign-in`, { method: 'POST', headers: asPage(base), body })
  assert.equal(status, 200, text)
  return { base, deviceId: JSON.parse(text).device.deviceId, key }
}

/** A socket whose messages are read one by one. */
export class PageSocket {
  readonly closed: Promise<number>
  readonly web: WebSocket
  readonly #arrived: string[] = []
  #wake: () => void = () => {}
  #lastId = 0

  constructor(base: string, headers: Readonly<Record<string, string>> = { origin: base }, path = '/wire') {
    this.web = new WebSocket(base.replace(/^http/, 'ws') + path, { headers: { ...headers } })
    this.web.on('error', () => {})
    this.web.on('message', (data) => {
      this.#arrived.push(String(data))
      this.#wake()
    })
    this.closed = new Promise((resolve) =>
      this.web.on('close', (code) => {
        resolve(code)
        this.#wake()
      }),
    )
  }

  /** Errors: rejects when it closes before. */
  async next(): Promise<Record<string, unknown>> {
    while (this.#arrived.length === 0) {
      if (this.web.readyState === WebSocket.CLOSED) throw new Error('closed')
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return JSON.parse(this.#arrived.shift() ?? '')
  }

  async hello(): Promise<PageHello> {
    return (await this.next()) as unknown as PageHello
  }

  say(message: object): void {
    this.web.send(JSON.stringify(message))
  }

  /** Signs in and returns the server's answer. With the hello of another socket, the signature is invalid here. */
  async signIn(device: Device, { hello, host }: { hello?: PageHello; host?: string } = {}) {
    const own = await this.hello()
    const { nonce, instance } = hello ?? own
    const text = signedText({ nonce, instance, host: host ?? new URL(device.base).host })
    this.say({ signIn: { deviceId: device.deviceId, signature: await sign(device.key, text) } })
    return this.next()
  }

  /** The result of a verb, or its error. */
  async call(method: string, params: object = {}) {
    const id = ++this.#lastId
    this.say({ id, method, params })
    for (;;) {
      const answer = await this.next()
      if (answer['id'] === id)
        return answer as { readonly result?: Record<string, unknown>; readonly error?: { readonly code: string } }
    }
  }
}

export async function connected(device: Device): Promise<PageSocket> {
  const socket = new PageSocket(device.base)
  const answer = await socket.signIn(device)
  assert.ok('signedIn' in answer, JSON.stringify(answer))
  return socket
}
