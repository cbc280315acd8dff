/** Requests that wait for their answer, matched with it by number. */

import type { TermError } from '@agentpty/protocol'
import type { Values } from './payload.ts'
import type { Fields, FrameRow } from './protocol.ts'

interface OpenRequest {
  readonly answer: FrameRow
  readonly resolve: (values: unknown) => void
  readonly reject: (error: Error) => void
}

/** A request that is on its way. */
export interface Asked<F extends Fields> {
  readonly number: number
  /** Resolves with the answer's values, rejects with what `reject` or `rejectAll` says. */
  readonly answer: Promise<Values<F>>
}

export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>()
  #last = 0

  /** Has a request sent under a number that was never used on this connection. What `send` throws leaves nothing open. */
  open<F extends Fields>(row: FrameRow<F>, send: (number: number) => void): Asked<F> {
    const number = ++this.#last
    send(number)
    const answer = new Promise<Values<F>>((resolve, reject) => {
      // `resolve` below passes on the values of this row only.
      this.#open.set(number, { answer: row, resolve: (values) => resolve(values as Values<F>), reject })
    })
    return { number, answer }
  }

  /** Nothing happens when nobody waits under this number; the same holds for `reject`. */
  resolve<F extends Fields>(number: number, answer: FrameRow<F>, values: Values<F>): void {
    const open = this.#take(number)
    if (open === undefined) return
    if (open.answer.type === answer.type) open.resolve(values)
    else open.reject(new Error(`ptyhost sent frame ${answer.type} where ${open.answer.type} was due`))
  }

  reject(number: number, error: TermError): void {
    this.#take(number)?.reject(error)
  }

  rejectAll(makeError: () => TermError): void {
    for (const { reject } of this.#open.values()) reject(makeError())
    this.#open.clear()
  }

  #take(number: number): OpenRequest | undefined {
    const open = this.#open.get(number)
    this.#open.delete(number)
    return open
  }
}
