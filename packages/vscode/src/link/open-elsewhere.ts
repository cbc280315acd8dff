/**
 * A connection to the daemon of another machine, as a device that has signed in there: by a key of its own, which signs what the daemon
 * gives it, as the page does. The daemon listens on its loopback only, so the address is that of a forwarded port or of a proxy.
 */

import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { platform } from 'node:os'
import { TermError } from '@agentpty/protocol'
import { type PageHello, signedText, signInPath, wirePath } from '@agentpty/protocol/page'
import { SocketMessages, WireClient } from '@agentpty/protocol/wire'
import { WebSocket } from 'ws'
import type { OpenClient } from './connect.ts'

/** What this editor is there. */
export interface KnownDevice {
  readonly instance: string
  readonly deviceId: string
  /** PKCS 8, in base64. */
  readonly privateKey: string
}

const answerMs = 10_000
/** Persons know their devices by it. */
const userAgent = `VS Code (${{ darwin: 'Mac OS X', win32: 'Windows' }[platform() as string] ?? 'Linux'})`
/** Which window it is, among those of this editor. */
const tab = randomBytes(6).toString('hex').slice(0, 8)

/** The address and the code in what `agentpty open --print` prints; null in anything else. */
export function addressAndCode(text: string): { readonly address: string; readonly code: string } | null {
  const [, address = '', code = ''] = /^(https?:\/\/[^/\s#?]+)\/?#c=([\w-]+)$/.exec(text.trim()) ?? []
  return address === '' ? null : { address, code }
}

/** The code is used up by this. Errors: `denied` where it is not taken, `daemon_gone` where nobody answers. */
export async function signInElsewhere(address: string, code: string): Promise<KnownDevice> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const response = await fetch(`${address}${signInPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: address,
      'sec-fetch-site': 'same-origin',
      'user-agent': userAgent,
    },
    body: JSON.stringify({ code, publicKey: point.toString('base64url') }),
    signal: AbortSignal.timeout(answerMs),
  }).catch((error: unknown) => Promise.reject(noAnswer(address, error)))
  const answer = (await response.json().catch(() => ({}))) as SignedIn
  if (answer.device === undefined || answer.instance === undefined) throw refused(address, answer.error)
  const kept = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return { instance: answer.instance, deviceId: answer.device.deviceId, privateKey: kept }
}

interface SignedIn {
  readonly device?: { readonly deviceId: string }
  readonly instance?: string
  readonly error?: { readonly message: string; readonly hint: string }
}

/** Errors: `denied` where the key is not known any more, `daemon_gone` where nobody answers. */
export async function openElsewhere(
  address: string,
  keyOf: (instance: string) => Promise<KnownDevice | null>,
): Promise<OpenClient> {
  const socket = new WebSocket(new URL(wirePath, address.replace(/^http/, 'ws')), {
    headers: { origin: address },
    handshakeTimeout: answerMs,
  })
  const messages = new SocketMessages(socket)
  try {
    const hello = (await orError(socket, messages.next())) as PageHello
    const key = await keyOf(hello.instance)
    if (key === null) throw refused(address)
    const text = signedText({ nonce: hello.nonce, host: new URL(address).host, instance: hello.instance })
    socket.send(JSON.stringify({ signIn: { deviceId: key.deviceId, signature: signed(key, text), tab } }))
    const answer = (await messages.next()) as SignedIn & { readonly signedIn?: unknown }
    if (answer.signedIn === undefined) throw refused(address)
  } catch (error) {
    socket.terminate()
    throw error instanceof TermError ? error : noAnswer(address, error)
  }
  const ended = messages.closed.then(() => undefined)
  return Object.assign(new WireClient(messages.wire(() => {})), { ended })
}

/** A socket that never opens tells why by an event. */
const orError = <Value>(socket: WebSocket, coming: Promise<Value>): Promise<Value> =>
  Promise.race([coming, new Promise<never>((_, reject) => socket.on('error', reject))])

function signed({ privateKey }: KnownDevice, text: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' })
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

const noAnswer = (address: string, error: unknown): TermError =>
  new TermError(
    'daemon_gone',
    `Nobody answers at ${address}: ${error instanceof Error ? error.message : String(error)}.`,
    'Is its port forwarded? Run there: agentpty status',
  )

const refused = (address: string, error?: { readonly message: string; readonly hint: string }): TermError =>
  new TermError(
    'denied',
    error === undefined ? `This editor is not signed in at ${address}.` : error.message,
    'Run there: agentpty open --print. Then here: agentpty: Sign In to Another Machine.',
  )
