/**
 * Finds marks in output bytes that arrive split anywhere, with their exact offsets.
 *
 * Any chunking gives the same marks. Malformed input costs at most the sequence it is in: ESC always begins anew, CAN
 * and SUB abort, and a sequence longer than `markBytesMax` is let pass. The 8-bit control bytes are not controls here:
 * in UTF-8 they are parts of characters. APC, PM and nearly every DCS need no state of their own, because the ESC that
 * ends them begins anew as well and nothing else in them can begin a mark; only a DCS that asks is one itself.
 *
 * An emulator's own handlers would give no offsets, which is why there is a second, smaller parser.
 */

import { markBytesMax } from '../../contracts/limits.ts'
import type { Offset } from '../../contracts/units.ts'
import type { Mark, MarkBody } from './mark.ts'
import { markFinals, parseCsi } from './parse-csi.ts'
import { isDcsQuestionByte, parseDcs } from './parse-dcs.ts'
import { parseOsc } from './parse-osc.ts'

/** `escape-skip`: an escape sequence with intermediates, whose final byte is no mark. `…-escape`: ESC in an OSC or DCS. */
type State = 'ground' | 'escape' | 'escape-skip' | 'csi' | 'osc' | 'osc-escape' | 'dcs' | 'dcs-escape'

const byte = { bel: 0x07, can: 0x18, sub: 0x1a, esc: 0x1b, space: 0x20, at: 0x40, c: 0x63, del: 0x7f } as const
const [capitalP, bracketOpen, backslash, bracketClose] = [0x50, 0x5b, 0x5c, 0x5d]
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export class MarkScanner {
  #state: State = 'ground'
  /** Offset of the ESC of the sequence we are in. */
  #begin: Offset = 0
  /** Offset after the last byte scanned; null before the first. */
  #next: Offset | null = null
  #payload = new Uint8Array(64)
  #payloadBytes = 0
  #marks: Mark[] = []

  /**
   * The marks that end in these bytes. After a gap, bytes that were missed, scanning begins anew.
   *
   * @param offset - Absolute offset of the first byte.
   */
  scan(bytes: Uint8Array, offset: Offset): readonly Mark[] {
    if (offset !== this.#next) this.#state = 'ground'
    this.#next = offset + bytes.length
    this.#marks = []
    let index = 0
    while (index < bytes.length) {
      if (this.#state === 'ground') {
        // A search, not a loop: plain output must cost next to nothing.
        index = bytes.indexOf(byte.esc, index)
        if (index < 0) break
      }
      this.#state = this.#step(bytes[index] ?? 0, offset + index)
      index += 1
    }
    return this.#marks
  }

  /** The state after a byte. */
  #step(value: number, offset: Offset): State {
    if (value === byte.esc) return this.#onEscape(offset)
    if (value === byte.can || value === byte.sub) return 'ground'
    switch (this.#state) {
      case 'ground':
        return 'ground'
      case 'escape':
        return this.#afterEscape(value, offset)
      case 'escape-skip':
        return value > 0x2f ? 'ground' : 'escape-skip'
      case 'csi':
        return this.#onCsi(value, offset)
      case 'osc':
        return this.#onOsc(value, offset)
      case 'dcs':
        return this.#onDcs(value)
      case 'osc-escape':
      case 'dcs-escape':
        return this.#onStringEscape(value, offset)
    }
  }

  #onEscape(offset: Offset): State {
    // It ends the string if a backslash follows, and until then `#begin` is still needed.
    if (this.#state === 'osc' || this.#state === 'dcs') return `${this.#state}-escape`
    this.#begin = offset
    return 'escape'
  }

  #onStringEscape(value: number, offset: Offset): State {
    const parse = this.#state === 'osc-escape' ? parseOsc : parseDcs
    if (value === backslash) return this.#emit(parse(this.#text(), '\x1b\\'), offset)
    this.#begin = offset - 1
    return this.#afterEscape(value, offset)
  }

  #afterEscape(value: number, offset: Offset): State {
    if (value < byte.space || value === byte.del) return 'escape'
    this.#payloadBytes = 0
    if (value === bracketOpen) return 'csi'
    if (value === bracketClose) return 'osc'
    if (value === capitalP) return 'dcs'
    if (value < 0x30) return 'escape-skip'
    return value === byte.c ? this.#emit([{ kind: 'reset' }], offset) : 'ground'
  }

  #onCsi(value: number, offset: Offset): State {
    if (value < byte.space || value === byte.del) return 'csi'
    if (value < byte.at) return this.#keep(value, 'csi')
    if (!markFinals.has(value)) return 'ground'
    return this.#emit(parseCsi(this.#text(), String.fromCharCode(value)), offset)
  }

  #onOsc(value: number, offset: Offset): State {
    if (value === byte.bel) return this.#emit(parseOsc(this.#text(), '\x07'), offset)
    return value < byte.space ? 'osc' : this.#keep(value, 'osc')
  }

  #onDcs(value: number): State {
    return isDcsQuestionByte(value, this.#payloadBytes) ? this.#keep(value, 'dcs') : 'ground'
  }

  #keep(value: number, state: State): State {
    if (this.#payloadBytes >= markBytesMax) return 'ground'
    if (this.#payloadBytes === this.#payload.length) {
      const larger = new Uint8Array(this.#payload.length * 2)
      larger.set(this.#payload)
      this.#payload = larger
    }
    this.#payload[this.#payloadBytes] = value
    this.#payloadBytes += 1
    return state
  }

  #text(): string {
    return utf8.decode(this.#payload.subarray(0, this.#payloadBytes))
  }

  #emit(bodies: readonly MarkBody[], last: Offset): State {
    for (const body of bodies) this.#marks.push({ ...body, offset: this.#begin, end: last + 1 })
    return 'ground'
  }
}
