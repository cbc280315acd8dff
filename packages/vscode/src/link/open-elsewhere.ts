/**
 * A connection to the daemon of another machine, as a signed-in device. Its own key signs the challenge of the daemon, as in the page. The
 * daemon listens on loopback only, so the address is a forwarded port or a proxy.
 */

import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { platform } from 'node:os'
import { TermError } from '@agentpty/protocol'
import { type PageHello, signedText, signInPath, wirePath } from '@agentpty/protocol/page'
import { SocketMessages, WireClient } from '@agentpty/protocol/wire'
import { WebSocket } from 'ws'
import type { OpenClient } from './connect.ts'

/** The registration of this editor at a daemon. */
export interface KnownDevice {
  readonly instance: string
  readonly deviceId: string
  /** The private key as PKCS 8, in base64. */
  readonly privateKey: string
}

const answerMs = 10_000
/** The name by which people recognise the device. */
const userAgent = `VS Code (${{ darwin: 'Mac OS X', win32: 'Windows' }[platform() as string] ?? 'Linux'})`
/** Identifies the window among those of this editor. */
const tab = randomBytes(6).toString('hex').slice(0, 8)

/** Parses the output of `agentpty open --print` into address and code; null for other text. */
export function addressAndCode(text: string): { readonly address: string; readonly code: string } | null {
  const [, address = '', code = ''] = /^(https?:\/\/[^/\s#?]+)\/?#c=([\w-]+)$/.exec(text.trim()) ?? []
  return address === '' ? null : { address, code }
}

/** Signs in; the code works once. Errors: `denied` if it is refused, `daemon_gone` if the daemon is unreachable. */
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
  const encoded = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return { instance: answer.instance, deviceId: answer.device.deviceId, privateKey: encoded }
}

interface SignedIn {
  readonly device?: { readonly deviceId: string }
  readonly instance?: string
  readonly error?: { readonly message: string; readonly hint: string }
}

/** Errors: `denied` if the key is no longer known, `daemon_gone` if the daemon is unreachable. */
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

/** A socket that never opens reports the reason in an event. */
const orError = <Value>(socket: WebSocket, coming: Promise<Value>): Promise<Value> =>
  Promise.race([coming, new Promise<never>((_, reject) => socket.on('error', reject))])

function signed({ privateKey }: KnownDevice, text: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' })
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

const noAnswer = (address: string, error: unknown): TermError =>
  new TermError(
    'daemon_gone',
    `No response from ${address}: ${error instanceof Error ? error.message : String(error)}.`,
    'Is its port forwarded? Run there: agentpty status',
  )

const refused = (address: string, error?: { readonly message: string; readonly hint: string }): TermError =>
  new TermError(
    'denied',
    error === undefined ? `This editor is not signed in at ${address}.` : error.message,
    'Run there: agentpty open --print. Then here: agentpty: Sign In to Another Machine.',
  )
