/** The newest output of one fake terminal, by offset: as much as the host's ring would keep. */

import type { Offset } from '../units.ts'

interface Piece {
  readonly offset: Offset
  readonly bytes: Uint8Array
}

export class KeptOutput {
  readonly #capacityBytes: number
  #pieces: Piece[] = []
  #start: Offset = 0
  #end: Offset = 0

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes
  }

  /** Offset of the oldest kept byte. */
  get start(): Offset {
    return this.#start
  }

  /** Offset the next byte will get. */
  get end(): Offset {
    return this.#end
  }

  append(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pieces.push({ offset: this.#end, bytes: Uint8Array.from(bytes) })
    this.#end += bytes.length
    this.#start = Math.max(this.#start, this.#end - this.#capacityBytes)
    const first = this.#pieces.findIndex((piece) => endOf(piece) > this.#start)
    if (first > 0) this.#pieces = this.#pieces.slice(first)
  }

  /** This many bytes were never kept. */
  skip(bytes: number): void {
    this.#pieces = []
    this.#end += bytes
    this.#start = this.#end
  }

  /** At most `maxBytes` from `offset` on, fewer when they were printed separately; none at the end. */
  read(offset: Offset, maxBytes: number): Uint8Array {
    const piece = this.#pieces.findLast((each) => each.offset <= offset)
    if (piece === undefined || offset < this.#start || offset >= endOf(piece)) return new Uint8Array(0)
    return piece.bytes.slice(offset - piece.offset, offset - piece.offset + maxBytes)
  }
}

function endOf({ offset, bytes }: Piece): Offset {
  return offset + bytes.length
}
