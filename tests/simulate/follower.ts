/** A client that follows a session and takes its events when a step says so. */

import type { Session } from '@agentpty/engine/session'
import type { Client } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { must } from './broken.ts'
import type { SimTerminal } from './sim-terminal.ts'

export interface FollowerOptions {
  readonly client: Client
  readonly terminal: SimTerminal
  readonly session: Session
  readonly since: number
  readonly trace: (line: string) => void
  readonly broke: (error: unknown) => void
}

export class Follower {
  readonly #options: FollowerOptions
  readonly #abort = new AbortController()
  #next: number
  #may = 0
  #wake: () => void = () => {}
  #isAbandoned = false
  isOver = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#next = options.since
    this.#follow().catch((error: unknown) => {
      if (!this.#isAbandoned) options.broke(error)
    })
  }

  /** Takes this many more events. */
  fetch(events: number): void {
    this.#may += events
    this.#wake()
  }

  end(): void {
    this.#abort.abort()
    this.fetch(1)
  }

  /** Its daemon has ended: later events of its stream are ignored. */
  abandon(): void {
    this.#isAbandoned = true
  }

  async #follow(): Promise<void> {
    const { client, terminal, since, trace } = this.#options
    const options = { output: { since }, turn: true, signal: this.#abort.signal }
    for await (const event of client.follow(terminal.id, options)) {
      if (this.#isAbandoned) return
      this.#check(event)
      const shown = event.type === 'output' ? { ...event, bytes: event.bytes.length } : event
      trace(`${terminal.id} sent ${JSON.stringify(shown)}`)
      while (this.#may === 0 && !this.#abort.signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      this.#may--
    }
    this.isOver = true
  }

  #check(event: SessionEvent): void {
    const { terminal, session } = this.#options
    if (event.type === 'turn') {
      must(event.at <= session.log.end, 'visible', () => `${terminal.id}: a verdict of ${event.at}`)
    } else if (event.type === 'exit') {
      must(
        this.#next >= session.log.end,
        'exit',
        () => `${terminal.id}: the exit was sent at ${this.#next} of ${session.log.end}`,
      )
    } else if (event.type === 'output') {
      this.#checkOutput(event)
    }
  }

  #checkOutput({ offset, bytes, next, missedBytes }: Extract<SessionEvent, { type: 'output' }>): void {
    const { terminal, session } = this.#options
    const end = offset + bytes.length
    must(next === end, 'chain', () => `${terminal.id}: ${offset}-${end} goes on at ${next}`)
    must(offset === this.#next + missedBytes, 'chain', () => `${terminal.id}: from ${this.#next} to ${offset}`)
    must(
      missedBytes === 0 || offset <= session.log.start,
      'evicted',
      () => `${terminal.id}: ${missedBytes} at ${offset}`,
    )
    must(end <= session.parsedTo, 'visible', () => `${terminal.id} was sent ${offset}-${end} of ${session.parsedTo}`)
    must(terminal.truth.subarray(offset, end).equals(bytes), 'meaning', () => `${terminal.id} ${offset}-${end}`)
    this.#next = end
  }
}
