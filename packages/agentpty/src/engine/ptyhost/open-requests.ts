/** Requests that wait for their answer, matched with it by number. */

import type { TermError } from '../../contracts/errors.ts'
import type { Values } from './payload.ts'
import type { Fields, FrameRow } from './protocol.ts'

interface OpenRequest {
  readonly answer: FrameRow
  readonly resolve: (values: unknown) => void
  readonly reject: (error: Error) => void
}

export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>()
  #last = 0

  /** The number of the next request; never used before on this connection. */
  get nextNumber(): number {
    return this.#last + 1
  }

  /** Under `nextNumber`: resolves with the answer's values, rejects with what `reject` or `rejectAll` says. */
  wait<F extends Fields>(answer: FrameRow<F>): Promise<Values<F>> {
    this.#last++
    return new Promise((resolve, reject) => {
      // `resolve` below passes on the values of this row only.
      this.#open.set(this.#last, { answer, resolve: (values) => resolve(values as Values<F>), reject })
    })
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
