/** Finds in output where a shell says that a command begins and ends, with offsets, over the borders of its pieces. */

export interface ShellMark {
  readonly letter: 'C' | 'D'
  /** Of its first byte, and behind its last; null where offsets are not known. */
  readonly offset: number | null
  readonly end: number | null
}

const whole = /\x1b\](?:133|633);([CD])(?:;[^\x07\x1b]*)?(?:\x07|\x1b\\)/g
/** One that may go on in the next piece. */
const begun = /\x1b(?:\](?:[136;CD](?:[^\x07\x1b]*\x1b?)?)?)?$/
const begunCharactersMax = 8_192

export class ShellMarks {
  // One character each byte, whatever it is: indexes are offsets.
  readonly #decoder = new TextDecoder('latin1')
  #rest = ''

  /** `offset`: of the first byte; null where the bytes are not those of the log. */
  take(bytes: Uint8Array, offset: number | null): readonly ShellMark[] {
    const text = this.#rest + this.#decoder.decode(bytes)
    const from = offset === null ? null : offset - this.#rest.length
    const [open = ''] = begun.exec(text) ?? []
    this.#rest = open.length > begunCharactersMax ? '' : open
    return [...text.matchAll(whole)].map(({ 0: found, 1: letter, index }) => ({
      letter: letter === 'C' ? 'C' : 'D',
      offset: from === null ? null : from + index,
      end: from === null ? null : from + index + found.length,
    }))
  }

  /** What comes next does not go on from here. */
  forget(): void {
    this.#rest = ''
  }
}
