/** Sends encrypted messages to push services (RFC 8030). */

import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Clock, invalidInput, type Millis } from '@agentpty/protocol'
import {
  type PushMessage,
  type PushOutcome,
  type PushSender,
  type PushSubscription,
  pushRetryMsMax,
  pushSendMs,
  pushTtlMs,
} from '@agentpty/protocol/page'
import { type BrowserKeys, encrypt, padded } from './encrypt.ts'
import { type AllowedHosts, checkEndpoint, lookupFor, privateAddress } from './endpoint.ts'
import { authorization, makePushKeys } from './vapid.ts'

export interface PushSenderOptions {
  readonly clock: Pick<Clock, 'now' | 'wall' | 'callAt'>
  readonly allowed: AllowedHosts
  readonly contact: string
}

export function pushSender({ clock, allowed, contact }: PushSenderOptions): PushSender {
  return {
    makeKeys: makePushKeys,
    check: ({ endpoint, keys }) => {
      checkEndpoint(endpoint, allowed)
      assertKeys(keys)
    },
    send: async (subscription, message, keys) => {
      const url = checkEndpoint(subscription.endpoint, allowed)
      const body = encrypt(padded(message.text), bytesOf(subscription.keys))
      const token = authorization({ endpoint: subscription.endpoint, keys, now: clock.wall(), contact })
      const stop = new AbortController()
      const cancelTimer = clock.callAt(clock.now() + pushSendMs, () => stop.abort())
      try {
        return await post(url, { body, headers: headersOf(message, token), allowed, signal: stop.signal })
      } finally {
        cancelTimer()
      }
    },
  }
}

const bytesOf = ({ p256dh, auth }: PushSubscription['keys']): BrowserKeys => ({
  publicKey: Buffer.from(p256dh, 'base64url'),
  auth: Buffer.from(auth, 'base64url'),
})

/** Errors: `invalid_input`. */
function assertKeys(keys: PushSubscription['keys']): void {
  try {
    encrypt(Buffer.alloc(0), bytesOf(keys))
  } catch {
    // OpenSSL refuses points that are not on the curve.
    throw invalidInput('The key of the browser is no point of P-256.', 'Turn push notifications on again in the page.')
  }
}

function headersOf({ topic, urgency }: PushMessage, token: string): Readonly<Record<string, string>> {
  return {
    authorization: token,
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(pushTtlMs / 1_000),
    topic,
    urgency,
  }
}

interface PostParts {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly allowed: AllowedHosts
  readonly signal: AbortSignal
}

/** Follows no redirect: the browser has not named the address that it leads to. */
function post(url: URL, { body, headers, allowed, signal }: PostParts): Promise<PushOutcome> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      lookup: lookupFor(url, allowed),
      // A connection that is kept would outlive its check.
      agent: false,
      signal,
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === privateAddress) resolve({ kind: 'refused', why: error.message })
      else reject(error)
    })
    sent.once('response', (response) => {
      resolve(outcomeOf(response))
      // The answer counts by its status. Its text could be of any length.
      response.destroy()
    })
    sent.end(body)
  })
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PushOutcome {
  const why = `the push service answers ${statusCode}`
  if (statusCode >= 200 && statusCode < 300) return { kind: 'taken' }
  if (statusCode === 404 || statusCode === 410) return { kind: 'gone', why }
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500)
    return { kind: 'later', why, afterMs: waitIn(headers['retry-after']) }
  return { kind: 'refused', why }
}

/** Reads seconds. Dates are rare, and the usual waits replace them. */
function waitIn(text: string | undefined): Millis | null {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return null
  return Math.min(pushRetryMsMax, Number(text) * 1_000)
}
