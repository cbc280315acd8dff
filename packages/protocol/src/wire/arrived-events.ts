/**
 * Events of one stream that have arrived and not been read. The other side sends at most {@link streamEventsAheadMax}
 * more than it knows to be read, so a slow reader delays its own stream, but no other stream and no answer to a call.
 */

import { streamEventsAheadMax } from '../limits.ts'

export class ArrivedEvents<Event> {
  readonly #events: Event[] = []
  readonly #acknowledge: (count: number) => void
  /** How many the other side sends unread. */
  readonly #ahead: number
  #unacknowledged = 0
  #ending: { readonly error: unknown } | null = null
  #wake: () => void = () => {}

  /** `acknowledge` is called with how many more have been read. */
  constructor(acknowledge: (count: number) => void, ahead = streamEventsAheadMax) {
    this.#ahead = ahead
    this.#acknowledge = acknowledge
  }

  push(event: Event): void {
    this.#events.push(event)
    this.#wake()
  }

  /** Nothing more comes. The reader gets an error, if there is one, after the last event. */
  end(error: unknown = null): void {
    this.#ending = { error }
    this.#wake()
  }

  async *read(): AsyncGenerator<Event, void> {
    for (;;) {
      const event = this.#events.shift()
      if (event !== undefined) {
        yield event
        this.#wasRead()
      } else if (this.#ending === null) {
        await new Promise<void>((resolve) => (this.#wake = resolve))
      } else {
        if (this.#ending.error !== null) throw this.#ending.error
        return
      }
    }
  }

  #wasRead(): void {
    this.#unacknowledged += 1
    if (this.#unacknowledged < this.#ahead / 2 || this.#ending !== null) return
    this.#acknowledge(this.#unacknowledged)
    this.#unacknowledged = 0
  }
}
