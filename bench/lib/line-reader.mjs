/** Splits a stream of bytes into lines, for any chunks; only whole lines are decoded. */
export class LineReader {
  #partial = []
  #encoding

  constructor(encoding = 'utf8') {
    this.#encoding = encoding
  }

  /** The lines this chunk completes, without their newlines. */
  push(chunk) {
    const lines = []
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#partial.push(chunk.subarray(from, at))
      lines.push(Buffer.concat(this.#partial).toString(this.#encoding))
      this.#partial = []
      from = at + 1
    }
    if (from < chunk.length) this.#partial.push(chunk.subarray(from))
    return lines
  }
}
