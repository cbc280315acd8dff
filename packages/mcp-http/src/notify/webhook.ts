/**
 * Messages to an address, signed as Standard Webhooks are (https://www.standardwebhooks.com). Nothing of what stands on a screen, and
 * no command, is in them.
 */

import { createHmac } from 'node:crypto'
import { type Clock, defined } from '@agentpty/protocol'
import { type NotifyMessage, type SendMessage, webhookMsMax } from '@agentpty/protocol/needs'

export interface WebhookOptions {
  readonly url: string
  /** `whsec_` and base64, or any text; without it messages are not signed. */
  readonly secret?: string
  readonly clock: Clock
  /** A time as ISO 8601 writes it. */
  readonly isoTime: (wall: number) => string
}

export function webhook({ url, secret, clock, isoTime }: WebhookOptions): SendMessage {
  return async (message) => {
    const body = JSON.stringify(bodyOf(message, isoTime))
    const timestamp = Math.floor(clock.wall() / 1_000).toString()
    const signed = secret === undefined ? undefined : signature(secret, `${message.id}.${timestamp}.${body}`)
    const stop = new AbortController()
    const cancelTimer = clock.callAt(clock.now() + webhookMsMax, () => stop.abort())
    try {
      const {
        ok,
        status,
        body: answer,
      } = await fetch(url, {
        method: 'POST',
        body,
        // Somebody else's address has not been named by the user.
        redirect: 'manual',
        signal: stop.signal,
        headers: defined({
          'content-type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signed,
        }),
      })
      await answer?.cancel()
      if (!ok) throw new Error(`the webhook answers ${status}`)
    } finally {
      cancelTimer()
    }
  }
}

function bodyOf({ type, at, need }: NotifyMessage, isoTime: WebhookOptions['isoTime']): object {
  const { needId, kind, terminalId, since } = need
  return { type, timestamp: isoTime(at), data: { needId, kind, terminalId, since: isoTime(since) } }
}

const prefix = 'whsec_'

/** @example signature('whsec_MfKQ…', 'msg_1.1674087231.{}') // 'v1,…' */
export function signature(secret: string, signed: string): string {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
