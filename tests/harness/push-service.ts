/**
 * A push service and a browser's end of it: an HTTP server that checks the signature of each message, and decrypts it with the keys of the
 * subscription. It is written from RFC 8291, 8188 and 8292 with WebCrypto alone, independently of the product.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const { subtle } = crypto
const p256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

export interface BrowserEnd {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly decrypt: (body: Uint8Array<ArrayBuffer>) => Promise<string>
}

const base64url = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64url')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'))

/** HKDF of RFC 5869. */
async function derive(
  secret: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  { info, length }: { readonly info: Uint8Array<ArrayBuffer>; readonly length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8))
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts))
const ascii = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'))

export async function browserEnd(): Promise<BrowserEnd> {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const own = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const auth = crypto.getRandomValues(new Uint8Array(16))
  return {
    keys: { p256dh: base64url(own), auth: base64url(auth) },
    decrypt: async (body) => {
      const salt = body.slice(0, 16)
      const view = new DataView(body.buffer, body.byteOffset)
      assert.ok(body.length <= view.getUint32(16), 'the message is one record')
      const idLength = view.getUint8(20)
      const sender = body.slice(21, 21 + idLength)
      const peer = await subtle.importKey('raw', sender, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
      const shared = new Uint8Array(await subtle.deriveBits({ name: 'ECDH', public: peer }, pair.privateKey, 256))
      const material = await derive(shared, auth, { info: joined(ascii('WebPush: info\0'), own, sender), length: 32 })
      const key = await derive(material, salt, { info: ascii('Content-Encoding: aes128gcm\0'), length: 16 })
      const iv = await derive(material, salt, { info: ascii('Content-Encoding: nonce\0'), length: 12 })
      const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
      const plain = new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body.slice(21 + idLength)))
      const end = plain.findLastIndex((byte) => byte !== 0)
      assert.equal(plain[end], 2, 'the record is the last one')
      return Buffer.from(plain.subarray(0, end)).toString()
    },
  }
}

export interface Claims {
  readonly aud: string
  readonly exp: number
  readonly sub: string
}

/** Checks the signature with the key that the browser has subscribed with. Errors: for another key, and a wrong signature. */
export async function claimsOf(authorization: string, publicKey: string): Promise<Claims> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  assert.equal(key, publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { typ: 'JWT', alg: 'ES256' })
  const imported = await subtle.importKey('raw', bytesOf(publicKey), p256, false, ['verify'])
  const isValid = await subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    imported,
    bytesOf(signature),
    ascii(`${head}.${claims}`),
  )
  assert.ok(isValid, 'the signature is valid')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}

export interface Delivered {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array<ArrayBuffer>
}

export interface PushService {
  readonly host: string
  readonly origin: string
  readonly got: Delivered[]
  /** Answers with 201 until a test sets another answer. */
  answer: (response: ServerResponse, delivered: Delivered) => void
  close(): void
}

/** Answers every message with 201. */
export const accept: PushService['answer'] = (response) => void response.writeHead(201).end()

export async function pushService(): Promise<PushService> {
  const got: Delivered[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const delivered = {
        path: request.url ?? '',
        headers: request.headers,
        body: new Uint8Array(Buffer.concat(parts)),
      }
      got.push(delivered)
      service.answer(response, delivered)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: PushService = {
    host,
    origin: `http://${host}`,
    got,
    answer: accept,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return service
}
