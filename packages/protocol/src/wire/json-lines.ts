/** Messages as lines of JSON: one message, one line. Used on the daemon's socket and by MCP over stdio. */

import { TermError } from '../errors.ts'
import { messageBytesMax } from '../limits.ts'

/** Cuts a byte stream into lines, whatever its chunks. Errors: `message_too_large`. */
export class LineSplitter {
  #parts: Buffer[] = []
  #length = 0

  push(bytes: Buffer): readonly string[] {
    const lines: string[] = []
    let from = 0
    for (let end = bytes.indexOf(10, from); end >= 0; end = bytes.indexOf(10, from)) {
      lines.push(this.#finish(bytes.subarray(from, end)))
      from = end + 1
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from))
    return lines.filter((line) => line.trim() !== '')
  }

  /** Bytes of an unfinished line, for the next reader of the stream. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    return rest
  }

  #finish(tail: Buffer): string {
    if (this.#parts.length === 0) return tail.toString('utf8')
    this.#keep(tail)
    return this.rest().toString('utf8')
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#length > messageBytesMax) {
      throw new TermError(
        'message_too_large',
        `A message is longer than ${messageBytesMax} bytes.`,
        'Send it in pieces.',
      )
    }
    this.#parts.push(Buffer.from(bytes))
  }
}

export type JsonObject = { readonly [key: string]: unknown }

/** Null when the line is not a JSON object. */
export function parseObject(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    // Not JSON: the caller decides what that means for its connection.
    return null
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
