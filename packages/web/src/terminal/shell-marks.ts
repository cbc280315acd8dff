/** Finds the marks in output with which a shell reports the begin and the end of a command. Handles marks split between pieces. */

export interface ShellMark {
  readonly letter: 'C' | 'D'
  /** The offsets of its first byte and after its last; null if unknown. */
  readonly offset: number | null
  readonly end: number | null
}

const whole = /\x1b\](?:133|633);([CD])(?:;[^\x07\x1b]*)?(?:\x07|\x1b\\)/g
/** A mark that may continue in the next piece. */
const unfinished = /\x1b(?:\](?:[136;CD](?:[^\x07\x1b]*\x1b?)?)?)?$/
const unfinishedCharactersMax = 8_192

export class ShellMarks {
  // Latin-1 has one character for each byte, so indexes are offsets.
  readonly #decoder = new TextDecoder('latin1')
  #rest = ''

  /** `offset`: the offset of the first byte; null if the bytes differ from the log. */
  take(bytes: Uint8Array, offset: number | null): readonly ShellMark[] {
    const text = this.#rest + this.#decoder.decode(bytes)
    const from = offset === null ? null : offset - this.#rest.length
    const [open = ''] = unfinished.exec(text) ?? []
    this.#rest = open.length > unfinishedCharactersMax ? '' : open
    return [...text.matchAll(whole)].map(({ 0: found, 1: letter, index }) => ({
      letter: letter === 'C' ? 'C' : 'D',
      offset: from === null ? null : from + index,
      end: from === null ? null : from + index + found.length,
    }))
  }

  /** Drops an incomplete mark, because the next output does not continue it. */
  forget(): void {
    this.#rest = ''
  }
}
