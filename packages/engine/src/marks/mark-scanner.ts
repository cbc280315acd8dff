/**
 * Finds marks in output bytes that arrive split anywhere, with their exact offsets.
 *
 * Any chunking gives the same marks. Malformed input costs at most the sequence it is in, and a sequence longer than
 * `markBytesMax` is let pass. The grammar is {@link SequenceScanner}'s; an emulator's own handlers would give no offsets.
 */

import { markBytesMax, type Offset } from '@agentpty/protocol'
import { controlByte, type Sequence, SequenceScanner } from '@agentpty/protocol/escapes'
import type { Mark, MarkBody } from './mark.ts'
import { markFinals, parseCsi } from './parse-csi.ts'
import { parseOsc } from './parse-osc.ts'

const resetFinal = 0x63

export class MarkScanner {
  readonly #sequences = new SequenceScanner(markBytesMax, (sequence) => this.#add(sequence))
  #marks: Mark[] = []

  /**
   * The marks that end in these bytes. After a gap, bytes that were missed, scanning begins anew.
   *
   * @param offset - Absolute offset of the first byte.
   */
  scan(bytes: Uint8Array, offset: Offset): readonly Mark[] {
    this.#marks = []
    this.#sequences.scan(bytes, offset)
    return this.#marks
  }

  #add(sequence: Sequence): void {
    for (const body of this.#bodiesOf(sequence)) this.#marks.push(placed(body, sequence))
  }

  /** The payload is decoded only where it can be a mark: most sequences paint. */
  #bodiesOf({ kind, final }: Sequence): readonly MarkBody[] {
    switch (kind) {
      case 'csi':
        return markFinals.has(final) ? parseCsi(this.#sequences.payload, String.fromCharCode(final)) : none
      case 'osc':
        return parseOsc(this.#sequences.payload, final === controlByte.bel ? '\x07' : '\x1b\\')
      case 'dcs':
        return parseDcs(this.#sequences.payload)
      case 'escape':
        return final === resetFinal && this.#sequences.payload === '' ? [{ kind: 'reset' }] : none
      case 'string':
        return none
    }
  }
}

const none: readonly MarkBody[] = []

/** The mark made of this body, which nobody else holds: a copy of each would cost as much as reading it. */
function placed(body: MarkBody, { begin, end }: Sequence): Mark {
  return Object.assign(body, { offset: begin, end })
}

/** `DCS $ q Pt ST` (DECRQSS) asks what a setting is. `payload`: what stood between `ESC P` and its end. */
function parseDcs(payload: string): readonly MarkBody[] {
  if (!payload.startsWith('$q')) return []
  return [{ kind: 'query', name: 'setting', private: false, parameter: null }]
}
