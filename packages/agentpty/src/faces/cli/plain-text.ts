/**
 * What a program prints on a terminal, as text for a pipe: without escape sequences, and with plain line ends.
 * Sequences may be split anywhere; what may still become one is kept back, and is bounded.
 */

// An OSC, DCS or the like; a CSI; another escape; what other controls a line printer would not know.
const sequences =
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ`-~]|[\x00-\x07\x0e\x0f]/g
const unfinished = /\x1b(?:[\]PX^_][^\x07\x1b]*\x1b?|\[[0-?]*[ -/]*|[ -/]*)$/
const keptMax = 8_192

export class PlainText {
  readonly #decoder = new TextDecoder()
  /** The beginning of a sequence. */
  #kept = ''
  /** Carriage returns that may belong to a line end. */
  #returns = ''

  /** The text that is certain by now. */
  push(bytes: Uint8Array): string {
    const text = this.#kept + this.#decoder.decode(bytes, { stream: true })
    const open = unfinished.exec(text)?.index ?? text.length
    const isHeld = text.length - open <= keptMax
    this.#kept = isHeld ? text.slice(open) : ''
    return this.#withLineEnds(isHeld ? text.slice(0, open) : text)
  }

  /** What is left when nothing more comes. */
  end(): string {
    const rest = this.#withLineEnds(this.#kept + this.#decoder.decode()) + this.#returns
    this.#kept = ''
    this.#returns = ''
    return rest
  }

  #withLineEnds(text: string): string {
    const plain = this.#returns + text.replaceAll(sequences, '')
    this.#returns = /\r*$/.exec(plain)?.[0] ?? ''
    return plain.slice(0, plain.length - this.#returns.length).replaceAll(/\r+\n/g, '\n')
  }
}
