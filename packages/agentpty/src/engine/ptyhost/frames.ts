/**
 * The wire to ptyhost: native/ptyhost/src/protocol.h is the source of truth for types and layouts.
 * A frame is u32 length, u32 session, u8 type, three zero bytes, payload; all little-endian.
 */

import { frameBytesMax } from '../../contracts/limits.ts'

export const protocolVersion = 1
export const protocolMagic = 0x59545041
export const frameHeaderBytes = 12

export const request = {
  hello: 1,
  spawn: 2,
  list: 3,
  attach: 4,
  ack: 5,
  write: 6,
  resize: 7,
  signal: 8,
  close: 9,
  watch: 10,
  meta: 11,
  shutdown: 12,
  stats: 13,
} as const

export const answer = {
  hello: 64,
  spawned: 65,
  session: 66,
  listed: 67,
  attached: 68,
  output: 69,
  exit: 70,
  written: 71,
  done: 72,
  facts: 73,
  closed: 74,
  error: 75,
  resized: 76,
  stats: 77,
} as const

/** Builds one frame; fields are appended in the order of the protocol. */
export class FrameWriter {
  #buffer: Buffer
  #at = frameHeaderBytes

  constructor(type: number, session: number, capacity = 64) {
    this.#buffer = Buffer.alloc(frameHeaderBytes + capacity)
    this.#buffer.writeUInt32LE(session, 4)
    this.#buffer.writeUInt8(type, 8)
  }

  u8(value: number): this {
    this.#at = this.#room(1).writeUInt8(value, this.#at)
    return this
  }

  u16(value: number): this {
    this.#at = this.#room(2).writeUInt16LE(value, this.#at)
    return this
  }

  u32(value: number): this {
    this.#at = this.#room(4).writeUInt32LE(value, this.#at)
    return this
  }

  u64(value: number): this {
    this.#at = this.#room(8).writeBigUInt64LE(BigInt(value), this.#at)
    return this
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length).set(bytes, this.#at)
    this.#at += bytes.length
    return this
  }

  blob(value: string): this {
    const bytes = Buffer.from(value)
    return this.u32(bytes.length).raw(bytes)
  }

  blobs(values: readonly string[]): this {
    this.u32(values.length)
    for (const value of values) this.blob(value)
    return this
  }

  finish(): Buffer {
    this.#buffer.writeUInt32LE(this.#at - frameHeaderBytes, 0)
    return this.#buffer.subarray(0, this.#at)
  }

  #room(bytes: number): Buffer {
    if (this.#at + bytes <= this.#buffer.length) return this.#buffer
    const larger = Buffer.alloc(Math.max(this.#buffer.length * 2, this.#at + bytes))
    this.#buffer.copy(larger)
    this.#buffer = larger
    return larger
  }
}

/** Reads the fields of one payload. Reading past its end throws: the host speaks another language than we do. */
export class FrameReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#advance(1))
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#advance(2))
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4))
  }

  i32(): number {
    return this.#bytes.readInt32LE(this.#advance(4))
  }

  /** Offsets stay below 2^53: nine petabytes of output. */
  u64(): number {
    return Number(this.#bytes.readBigUInt64LE(this.#advance(8)))
  }

  blob(): string {
    const length = this.u32()
    const start = this.#advance(length)
    return this.#bytes.toString('utf8', start, start + length)
  }

  text(bytes: number): string {
    const start = this.#advance(bytes)
    return this.#bytes.toString('latin1', start, start + bytes).replace(/\0.*$/, '')
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  #advance(bytes: number): number {
    const at = this.#at
    this.#at += bytes
    return at
  }
}

export interface Frame {
  readonly type: number
  readonly session: number
  readonly payload: Buffer
}

/** Cuts a byte stream into frames; a frame's payload is a view that holds until the next bytes are pushed. */
export class FrameSplitter {
  #parts: Buffer[] = []
  #length = 0

  /** Errors: throws when a frame is longer than the protocol allows. */
  push(bytes: Buffer): readonly Frame[] {
    this.#parts.push(bytes)
    this.#length += bytes.length
    const frames: Frame[] = []
    for (let size = this.#nextSize(); size !== null && this.#length >= size; size = this.#nextSize()) {
      const joined = this.#join()
      frames.push({
        session: joined.readUInt32LE(4),
        type: joined.readUInt8(8),
        payload: joined.subarray(frameHeaderBytes, size),
      })
      this.#parts = joined.length > size ? [joined.subarray(size)] : []
      this.#length -= size
    }
    const rest = this.#parts.at(-1)
    // The caller reads the next bytes into the same place.
    if (rest !== undefined) this.#parts[this.#parts.length - 1] = Buffer.from(rest)
    return frames
  }

  #nextSize(): number | null {
    if (this.#length < frameHeaderBytes) return null
    const head = this.#parts[0]
    const length = (head && head.length >= 4 ? head : this.#join()).readUInt32LE(0)
    if (length > frameBytesMax) throw new Error(`frame of ${length} bytes from ptyhost`)
    return frameHeaderBytes + length
  }

  #join(): Buffer {
    const [first, second] = this.#parts
    if (first !== undefined && second === undefined) return first
    const joined = Buffer.concat(this.#parts)
    this.#parts = [joined]
    return joined
  }
}
