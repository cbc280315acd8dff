/** The model's input and output, with times: the ground truth of a test, independent of any terminal. */

import { appendFileSync } from 'node:fs'

export interface LogEvent {
  /** Milliseconds since 1970, with fractions. */
  readonly t: number
  readonly ev: string
  /** The request that it belongs to. */
  readonly id?: number
  /** For a request: the conversation, or the client's own housekeeping. */
  readonly kind?: 'main' | 'side'
  readonly turn?: string
  readonly step?: number
  readonly prompt?: string
  /** For `respond`: text, tool or error. */
  readonly what?: string
  /** For `done`: the turn is over, no tool was called. */
  readonly final?: boolean
  readonly [detail: string]: unknown
}

export class EventLog {
  readonly events: LogEvent[] = []
  readonly #file: string | undefined

  constructor(file?: string) {
    this.#file = file
  }

  add(ev: string, details: Omit<LogEvent, 't' | 'ev'> = {}): void {
    const now = performance.timeOrigin + performance.now()
    const event = { t: Math.round(now * 1000) / 1000, ev, ...details }
    this.events.push(event)
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(event)}\n`)
  }
}
