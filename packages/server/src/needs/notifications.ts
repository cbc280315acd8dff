/** Notifies that a person is needed: once for each need unanswered for a while, and once when it is over. Failures block nothing. */

import { randomBytes } from 'node:crypto'
import { type Clock, type Millis, pause, type Stop } from '@agentpty/protocol'
import {
  messagesWaitingMax,
  type Need,
  type NotifyMessage,
  retryGapsMs,
  type SendMessage,
  type SendOutcome,
} from '@agentpty/protocol/needs'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Handlers, Overview } from '../call/index.ts'

interface NotificationsOptions {
  readonly clock: Clock
  readonly overview: Pick<Overview, 'watch'>
  readonly secrets: SecretValues | null
  readonly afterMs: Millis
  readonly tell: (message: NotifyMessage) => void
  /** Ends the notifications; absent: they end with the server. */
  readonly signal?: AbortSignal
}

interface Known {
  need: Need
  isSent: boolean
  readonly cancel: Stop
}

/** Runs until the signal aborts. Errors: those of the overview. */
export async function notifyOfNeeds(options: NotificationsOptions): Promise<void> {
  const { clock, overview, afterMs, secrets, tell, signal } = options
  const known = new Map<string, Known>()
  const message = (type: NotifyMessage['type'], need: Need): NotifyMessage => ({
    type,
    id: `msg_${randomBytes(12).toString('hex')}`,
    at: clock.wall(),
    need: secrets?.masked(need) ?? need,
  })
  const come = (need: Need) => {
    const waited = Math.max(0, clock.wall() - need.since)
    const cancel = clock.callAt(clock.now() + Math.max(0, afterMs - waited), () => {
      const one = known.get(need.needId)
      if (one === undefined) return
      one.isSent = true
      tell(message('need', one.need))
    })
    known.set(need.needId, { need, isSent: false, cancel })
  }
  try {
    for await (const { needs } of overview.watch(undefined, signal)) {
      if (needs === null) continue
      const now = new Map(needs.filter(({ kind }) => kind !== 'failure').map((need) => [need.needId, need]))
      for (const [needId, one] of known) {
        const still = now.get(needId)
        if (still !== undefined) one.need = still
        else {
          known.delete(needId)
          one.cancel()
          if (one.isSent) tell(message('withdrawn', one.need))
        }
      }
      for (const [needId, need] of now) if (!known.has(needId)) come(need)
    }
  } finally {
    for (const { cancel } of known.values()) cancel()
  }
}

interface OutboxOptions {
  readonly clock: Clock
  readonly send: SendMessage
  readonly retries: number
  /** Called with messages that were given up, and the reason. */
  readonly failed: (what: string) => void
}

/** Messages to one receiver in their order, with bounded retries and a bounded queue that drops the oldest. Withdrawn ones are not sent. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #waiting: NotifyMessage[] = []
  #isSending = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  put(message: NotifyMessage): void {
    const unsent = this.#waiting.findIndex(({ type, need }) => type === 'need' && need.needId === message.need.needId)
    // Not the first one: that is being sent.
    if (message.type === 'withdrawn' && unsent > 0) {
      this.#waiting.splice(unsent, 1)
      return
    }
    this.#waiting.push(message)
    if (this.#waiting.length > messagesWaitingMax) {
      const [dropped] = this.#waiting.splice(1, 1)
      if (dropped !== undefined) this.#options.failed(`${dropped.id} was left out: ${messagesWaitingMax} wait already`)
    }
    if (!this.#isSending) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    for (let message = this.#waiting[0]; message !== undefined; message = this.#waiting[0]) {
      await this.#send(message)
      this.#waiting.shift()
    }
    this.#isSending = false
  }

  async #send(message: NotifyMessage): Promise<void> {
    const { clock, send, retries, failed } = this.#options
    for (let tries = 0; ; tries += 1) {
      const outcome = await send(message).catch(unsent)
      if (outcome === 'taken') return
      const { why, tryAgainAfterMs } = outcome
      if (tries >= retries) return failed(`${message.id}: ${why}`)
      const gap = retryGapsMs[Math.min(tries, retryGapsMs.length - 1)] ?? 0
      await pause(clock, Math.max(gap, tryAgainAfterMs))
    }
  }
}

function unsent(error: unknown): SendOutcome {
  return { why: error instanceof Error ? error.message : String(error), tryAgainAfterMs: 0 }
}

export const needHandlers = {
  dismiss: async ({ overview }, { needId }, { scope }) => {
    overview.dismiss(needId, scope)
    return { dismissed: true }
  },
  needs: async ({ overview }, _input, { scope }) => ({
    needs: [...(await overview.needs(scope))],
  }),
} satisfies Partial<Handlers>
