/**
 * Messages to an address, signed as in Standard Webhooks (https://www.standardwebhooks.com). They contain no text from a screen and no
 * command.
 */

import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { type Clock, defined } from '@agentpty/protocol'
import { hookMsMax, type NotifyMessage, type SendMessage, webhookMsMax } from '@agentpty/protocol/needs'

interface WebhookOptions {
  readonly url: string
  /** `whsec_` and base64, or any text; without it messages are not signed. */
  readonly secret?: string
  readonly clock: Clock
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
      const response = await fetch(url, {
        method: 'POST',
        body,
        // The user has not named the address that a redirect leads to.
        redirect: 'manual',
        signal: stop.signal,
        headers: defined({
          'content-type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signed,
        }),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the webhook answers ${response.status}`)
      return 'taken'
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

/** Messages to a program of the user, as JSON on its standard input. No shell is between. */
export function hookCommand(words: readonly string[], clock: Clock): SendMessage {
  const [program = '', ...args] = words
  return (message) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
      const cancelTimer = clock.callAt(clock.now() + hookMsMax, () => child.kill('SIGKILL'))
      child.once('error', (error) => {
        cancelTimer()
        reject(error)
      })
      child.once('exit', (code, signal) => {
        cancelTimer()
        if (code === 0) resolve('taken')
        else reject(new Error(`${program} has ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`))
      })
      // A program that reads nothing has taken it all the same, if it says so by its exit code.
      child.stdin.on('error', () => {})
      child.stdin.end(`${JSON.stringify(message)}\n`)
    })
}
