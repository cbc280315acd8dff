/**
 * Finds marks in output bytes that arrive split anywhere, with their exact offsets.
 *
 * Any chunking gives the same marks. Malformed input costs at most the sequence it is in, and a sequence longer than
 * `markBytesMax` is let pass. The grammar is {@link SequenceScanner}'s; an emulator's own handlers would give no offsets.
 */

import { markBytesMax, type Offset } from '@agentpty/protocol'
import { controlByte, type Sequence, SequenceScanner } from '@agentpty/protocol/escapes'
import { type Mark, type MarkBody, parseOsc, type QueryMark } from './parse-osc.ts'

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

/** Turns the body into a mark in place. No other code holds the body, and a copy would cost as much as reading it. */
function placed(body: MarkBody, { begin, end }: Sequence): Mark {
  return Object.assign(body, { offset: begin, end })
}

/** `DCS $ q Pt ST` (DECRQSS) asks for the value of a setting. `payload`: the text between `ESC P` and its end. */
function parseDcs(payload: string): readonly MarkBody[] {
  if (!payload.startsWith('$q')) return []
  return [{ kind: 'query', name: 'setting', private: false, parameter: null }]
}

/** The final bytes that can be marks, so that a scanner need not decode the rest. */
const markFinals: ReadonlySet<number> = new Set(Array.from('hlcnpqtu', (letter) => letter.charCodeAt(0)))

/**
 * Parses the parameters and final byte of a CSI into marks. Nearly all of them only paint, and give none.
 *
 * @param parameters - The bytes between `ESC [` and the final byte, intermediates included.
 */
function parseCsi(parameters: string, final: string): readonly MarkBody[] {
  if (final === 'h' || final === 'l') return readModes(parameters, final === 'h')
  const query = readQuery(parameters, final)
  return query === null ? [] : [query]
}

function readModes(parameters: string, on: boolean): readonly MarkBody[] {
  if (!/^\?[\d;]*$/.test(parameters)) return []
  return parameters
    .slice(1)
    .split(';')
    .flatMap((mode): readonly MarkBody[] => {
      const kind = modeKinds.get(Number(mode))
      return kind === undefined ? [] : [{ kind, on }]
    })
}

type ModeKind = 'application-cursor' | 'cursor-visible' | 'alternate-screen' | 'bracketed-paste'

const modeKinds: ReadonlyMap<number, ModeKind> = new Map<number, ModeKind>([
  [1, 'application-cursor'],
  [25, 'cursor-visible'],
  [47, 'alternate-screen'],
  [1047, 'alternate-screen'],
  [1049, 'alternate-screen'],
  [2004, 'bracketed-paste'],
])

function readQuery(parameters: string, final: string): QueryMark | null {
  const simple = simpleQueries.get(parameters + final)
  if (simple !== undefined) return { kind: 'query', parameter: null, ...simple }
  const mode = final === 'p' ? /^(\??)(\d{1,6})\$$/.exec(parameters) : null
  if (mode === null) return null
  return { kind: 'query', name: 'mode', private: mode[1] === '?', parameter: Number(mode[2]) }
}

const simpleQueries: ReadonlyMap<string, Pick<QueryMark, 'name' | 'private'>> = new Map([
  ['c', { name: 'primary-attributes', private: false }],
  ['0c', { name: 'primary-attributes', private: false }],
  ['>c', { name: 'secondary-attributes', private: false }],
  ['>0c', { name: 'secondary-attributes', private: false }],
  ['5n', { name: 'device-status', private: false }],
  ['6n', { name: 'cursor-position', private: false }],
  ['?6n', { name: 'cursor-position', private: true }],
  ['>q', { name: 'version', private: false }],
  ['>0q', { name: 'version', private: false }],
  ['18t', { name: 'size', private: false }],
  ['?u', { name: 'kitty-flags', private: true }],
] as const)
