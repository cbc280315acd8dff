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
  #kept = ''

  /** The text that is certain by now. */
  push(bytes: Uint8Array): string {
    return this.#clean(this.#kept + this.#decoder.decode(bytes, { stream: true }))
  }

  /** What is left when nothing more comes. */
  end(): string {
    const rest = this.#kept + this.#decoder.decode()
    this.#kept = ''
    return tidy(rest)
  }

  #clean(text: string): string {
    const open = text.endsWith('\r') ? text.length - 1 : (unfinished.exec(text)?.index ?? text.length)
    const isHeld = text.length - open <= keptMax
    this.#kept = isHeld ? text.slice(open) : ''
    return tidy(isHeld ? text.slice(0, open) : text)
  }
}

function tidy(text: string): string {
  return text.replaceAll(sequences, '').replaceAll(/\r+\n/g, '\n')
}
