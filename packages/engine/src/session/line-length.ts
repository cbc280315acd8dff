/**
 * The length of the line that is being typed. A terminal that edits lines for its program keeps `canonicalLineBytesMax`
 * bytes of one and drops the rest silently, so the length must be known before.
 */

/** Keys that end a line there, or drop it: return, line feed, ctrl+d, ctrl+c, ctrl+u, ctrl+z, ctrl+\. */
const lineEnds: ReadonlySet<number> = new Set([0x0d, 0x0a, 0x04, 0x03, 0x15, 0x1a, 0x1c])

export class LineLength {
  /** Bytes that were typed since the last line end. */
  #openBytes = 0

  /** Bytes of the longest line that typing these would make, without its line end. */
  longestWith(bytes: Uint8Array): number {
    if (this.#openBytes + bytes.length < shortBytes) return this.#openBytes + bytes.length
    let [longest, open] = [0, this.#openBytes]
    for (const byte of bytes) {
      open = lineEnds.has(byte) ? 0 : open + 1
      longest = Math.max(longest, open)
    }
    return longest
  }

  typed(bytes: Uint8Array): void {
    const last = bytes.findLastIndex((byte) => lineEnds.has(byte))
    this.#openBytes = last < 0 ? this.#openBytes + bytes.length : bytes.length - 1 - last
  }
}

/** No system limits lines to less. */
const shortBytes = 256
