/**
 * Programs ask their terminal questions, and the daemon answers them, once. The emulator of the editor would answer again, and a second
 * answer is read as keys: so what asks is taken out of the output before it is drawn.
 */

import { type Sequence, SequenceScanner } from '@agentpty/protocol/escapes'

/** Longer ones ask nothing. */
const payloadBytesMax = 4_096

/** Takes output in pieces, however it was cut. */
export class WithoutQuestions {
  readonly #scanner: SequenceScanner
  #held: Buffer = Buffer.alloc(0)
  /** Offset of the first byte held. */
  #begin = 0
  #questions: Sequence[] = []

  constructor() {
    this.#scanner = new SequenceScanner(payloadBytesMax, (sequence) => {
      if (isQuestion(sequence, this.#scanner.payload)) this.#questions.push(sequence)
    })
  }

  /** What is to be drawn: without questions, and without a sequence that has not ended yet. */
  take(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#held, bytes])
    const begin = this.#begin
    this.#scanner.scan(bytes, begin + this.#held.length)
    const end = this.#openAt(begin + all.length)
    const parts: Uint8Array[] = []
    let from = begin
    for (const question of this.#questions) {
      parts.push(all.subarray(from - begin, question.begin - begin))
      from = question.end
    }
    parts.push(all.subarray(from - begin, end - begin))
    this.#questions = []
    this.#held = all.subarray(end - begin)
    this.#begin = end
    return Buffer.concat(parts)
  }

  /** Where a sequence begins that may still become a question; else where the bytes end. */
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

/** What it is, how it is, where its cursor is, its modes, its size, its version, its keys. */
function asks(payload: string, final: string): boolean {
  if (final === 'c') return /^[>=?]?0?$/.test(payload)
  if (final === 'n') return /^\??\d+$/.test(payload)
  if (final === 'p') return payload.endsWith('$')
  if (final === 't') return /^(?:1[1345689]|2[01])(?:;|$)/.test(payload)
  if (final === 'q') return /^>0?$/.test(payload)
  if (final === 'x') return /^[01]?$/.test(payload)
  return final === 'u' && payload === '?'
}
