/** Input on its way to a fake program: taken in order, or kept waiting while the program does not read. */

import { writePieceBytes } from '../limits.ts'
import type { NumberedInput, WriteResult, Written } from '../ports.ts'

interface Piece {
  readonly bytes: Uint8Array
  readonly answer: (result: WriteResult) => void
}

/** Reports a piece to the reader of the terminal, and then answers its writer. */
export type SendWritten = (written: Written, answer: () => void) => void

export class FakeInput {
  /** The answer to a piece. */
  result: WriteResult = { result: 'written' }
  readonly #send: SendWritten
  readonly #taken: Uint8Array[] = []
  #waiting: Piece[] = []
  /** The last number of each writer. */
  readonly #numbers = new Map<number, number>()
  #written = 0
  #isRead = true

  constructor(send: SendWritten) {
    this.#send = send
  }

  /** The pieces that the program has taken. */
  get taken(): readonly Uint8Array[] {
    return this.#taken
  }

  /** How many bytes it has taken. */
  get written(): number {
    return this.#written
  }

  async write(bytes: Uint8Array, numbered?: NumberedInput): Promise<WriteResult> {
    if (numbered !== undefined && (this.#numbers.get(numbered.writer) ?? 0) >= numbered.number)
      return { result: 'written' }
    if (numbered !== undefined) this.#numbers.set(numbered.writer, numbered.number)
    const answers: Promise<WriteResult>[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += writePieceBytes) {
      const piece = Uint8Array.from(bytes.subarray(at, at + writePieceBytes))
      answers.push(new Promise((answer) => this.#waiting.push({ bytes: piece, answer })))
    }
    this.#take()
    const results = await Promise.all(answers)
    return results.find(({ result }) => result !== 'written') ?? { result: 'written' }
  }

  pause(): void {
    this.#isRead = false
  }

  resume(): void {
    this.#isRead = true
    this.#take()
  }

  /** The program will never take what waits; returns how many bytes. */
  drop(): number {
    const bytes = this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0)
    for (const { bytes, answer } of this.#waiting.splice(0)) {
      this.#answer(() => answer({ result: 'dropped', droppedBytes: bytes.length }))
    }
    return bytes
  }

  #take(): void {
    while (this.#isRead) {
      const piece = this.#waiting.shift()
      if (piece === undefined) return
      this.#taken.push(piece.bytes)
      this.#written += piece.bytes.length
      const { result } = this
      this.#answer(() => piece.answer(result))
    }
  }

  #answer(answer: () => void): void {
    this.#send({ echoes: true, inputWritten: this.#written }, answer)
  }
}
