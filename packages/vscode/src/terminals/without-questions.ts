/**
 * Removes terminal queries from output before it is drawn. The daemon answers each query once; the editor's emulator would answer it again, and
 * the program would read the second answer as keys.
 */

import { type Sequence, SequenceScanner } from '@agentpty/protocol/escapes'

/** Longer sequences are not queries. */
const payloadBytesMax = 4_096

/** Accepts output in pieces of any division. */
export class WithoutQuestions {
  readonly #scanner: SequenceScanner
  #retained: Buffer = Buffer.alloc(0)
  /** The offset of the first retained byte. */
  #begin = 0
  #questions: Sequence[] = []

  constructor() {
    this.#scanner = new SequenceScanner(payloadBytesMax, (sequence) => {
      if (isQuestion(sequence, this.#scanner.payload)) this.#questions.push(sequence)
    })
  }

  /** Returns the bytes to draw: without queries, and without an incomplete sequence. */
  take(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#retained, bytes])
    const begin = this.#begin
    this.#scanner.scan(bytes, begin + this.#retained.length)
    const end = this.#openAt(begin + all.length)
    const parts: Uint8Array[] = []
    let from = begin
    for (const question of this.#questions) {
      parts.push(all.subarray(from - begin, question.begin - begin))
      from = question.end
    }
    parts.push(all.subarray(from - begin, end - begin))
    this.#questions = []
    this.#retained = all.subarray(end - begin)
    this.#begin = end
    return Buffer.concat(parts)
  }

  /** Returns the start of a sequence that may still become a query; else the end of the bytes. */
  #openAt(end: number): number {
    const { openFrom } = this.#scanner
    return openFrom === null || end - openFrom > payloadBytesMax ? end : Math.max(openFrom, this.#begin)
  }
}

function isQuestion({ kind, final }: Sequence, payload: string): boolean {
  if (kind === 'dcs') return payload.startsWith('$q') || payload.startsWith('+q')
  if (kind === 'osc') return /^(?:4|10|11|12|17|19|52);(?:.*;)?\?/.test(payload)
  return kind === 'csi' && asks(payload, String.fromCharCode(final))
}

/** Queries for type, status, cursor position, modes, size, version and keys. */
function asks(payload: string, final: string): boolean {
  if (final === 'c') return /^[>=?]?0?$/.test(payload)
  if (final === 'n') return /^\??\d+$/.test(payload)
  if (final === 'p') return payload.endsWith('$')
  if (final === 't') return /^(?:1[1345689]|2[01])(?:;|$)/.test(payload)
  if (final === 'q') return /^>0?$/.test(payload)
  if (final === 'x') return /^[01]?$/.test(payload)
  return final === 'u' && payload === '?'
}
