/** Answers by the id of their request: a client that has lost one asks again with the same id, and nothing is done twice. */

import { doorAnswersBytesMax, doorAnswersKeptMax } from '@agentpty/protocol/gym'

export interface Answered {
  readonly status: number
  readonly body: string
}

export class KeptAnswers {
  /** The oldest first. A size is known once the answer is there. */
  readonly #kept = new Map<string, { readonly answer: Promise<Answered>; bytes: number }>()
  #bytes = 0

  /** Does the work once for each id; null has none. */
  once(id: string | null, work: () => Promise<Answered>): Promise<Answered> {
    if (id === null) return work()
    const known = this.#kept.get(id)
    if (known !== undefined) return known.answer
    const kept = { answer: work(), bytes: 0 }
    this.#kept.set(id, kept)
    kept.answer.then(
      ({ body }) => {
        if (this.#kept.get(id) !== kept) return
        kept.bytes = body.length
        this.#bytes += kept.bytes
        this.#makeRoom()
      },
      () => this.#kept.delete(id),
    )
    this.#makeRoom()
    return kept.answer
  }

  /** The newest stays, however large it is. */
  #makeRoom(): void {
    for (const [id, { bytes }] of this.#kept) {
      const isIn = this.#kept.size <= doorAnswersKeptMax && this.#bytes <= doorAnswersBytesMax
      if (isIn || this.#kept.size === 1) return
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
  }
}
