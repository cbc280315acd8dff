/**
 * Messages on their way to one receiver, one after the other. What it does not take is tried again a bounded number of times;
 * while it fails, others wait, and of too many the oldest are left out. A message that was withdrawn before it was tried is not sent.
 */

import { type Clock, pause } from '@agentpty/protocol'
import { messagesWaitingMax, type NotifyMessage, retryGapsMs, type SendMessage } from '@agentpty/protocol/needs'

export interface OutboxOptions {
  readonly clock: Clock
  readonly send: SendMessage
  /** How often it is tried again. */
  readonly retries: number
  /** Told of messages that were given up, and why. */
  readonly failed: (what: string) => void
}

export class Outbox {
  readonly #options: OutboxOptions
  readonly #waiting: NotifyMessage[] = []
  #isSending = false
  readonly #end = new AbortController()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  put(message: NotifyMessage): void {
    if (this.#end.signal.aborted) return
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

  end(): void {
    this.#end.abort()
    this.#waiting.length = 0
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
    const { signal } = this.#end
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        return await send(message)
      } catch (error) {
        if (tries >= retries) return failed(`${message.id}: ${error instanceof Error ? error.message : String(error)}`)
        await pause(clock, retryGapsMs[Math.min(tries, retryGapsMs.length - 1)] ?? 0, signal)
      }
    }
  }
}
