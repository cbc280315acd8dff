import { isUtf8 } from 'node:buffer'

/**
 * Passes bytes on in whole UTF-8 characters: the beginning of one at the end of a chunk waits for the next chunk. Bytes that are not
 * UTF-8 become U+FFFD.
 *
 * The emulator has a decoder for that, but it loses a character that is split after a continuation byte 0x80: curly
 * quotes, dashes, box drawings and the joiner of emoji all have one. It also leaves malformed bytes out without a trace.
 */
export class WholeCharacters {
  #waiting: Uint8Array = new Uint8Array(0)

  /** No part of a character is held back. */
  get isWhole(): boolean {
    return this.#waiting.length === 0
  }

  /** How many bytes are held back. */
  get waitingBytes(): number {
    return this.#waiting.length
  }

  take(bytes: Uint8Array): Uint8Array {
    const joined = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes])
    const whole = joined.length - unfinishedBytes(joined)
    // A copy, because the caller may overwrite the chunk once it was parsed.
    this.#waiting = joined.slice(whole)
    const taken = joined.subarray(0, whole)
    return isUtf8(taken) ? taken : Buffer.from(decoder.decode(taken))
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const longestCharacter = 4

/** The bytes without the beginning of a character at their end. */
export function wholeCharactersOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
}

/** How many bytes at the end begin a character that is longer than what is there. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count < longestCharacter && count <= bytes.length; count += 1) {
    const value = bytes[bytes.length - count] ?? 0
    if (value < 0x80) return 0
    if (value >= 0xc0) return count < characterBytes(value) ? count : 0
  }
  return 0
}

function characterBytes(first: number): number {
  if (first >= 0xf8) return 1
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}
