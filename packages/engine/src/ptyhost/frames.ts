/**
 * Bytes of the wire to ptyhost: frames out of a stream, and the fields of one payload. `protocol.ts` says what the
 * payloads hold.
 *
 * A frame is u32 length, u32 session, u8 type, three zero bytes, payload; all little-endian.
 */

import { frameBytesMax } from '@agentpty/protocol'
import { frameHeaderBytes } from './protocol.ts'

/** Bytes of a process's name, padded with zeros: TASK_COMM_LEN. */
const nameBytes = 16

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

  i32(value: number): this {
    this.#at = this.#room(4).writeInt32LE(value, this.#at)
    return this
  }

  u64(value: number): this {
    this.#at = this.#room(8).writeBigUInt64LE(BigInt(value), this.#at)
    return this
  }

  bytes(bytes: Uint8Array): this {
    this.#room(bytes.length).set(bytes, this.#at)
    this.#at += bytes.length
    return this
  }

  text(value: string): this {
    const bytes = Buffer.from(value)
    return this.u32(bytes.length).bytes(bytes)
  }

  name(value: string): this {
    const bytes = Buffer.alloc(nameBytes)
    bytes.write(value, 'latin1')
    return this.bytes(bytes)
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

/** Reads the fields of one payload. Reading past its end throws: the host speaks another protocol. */
export class FrameReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  u8(): number {
    return this.#byte(this.#advance(1))
  }

  u16(): number {
    const at = this.#advance(2)
    return this.#byte(at) + this.#byte(at + 1) * 2 ** 8
  }

  u32(): number {
    return this.#u32(this.#advance(4))
  }

  i32(): number {
    return this.#u32(this.#advance(4)) | 0
  }

  /** Offsets stay below 2^53: nine petabytes of output. */
  u64(): number {
    const at = this.#advance(8)
    return this.#u32(at) + this.#u32(at + 4) * 2 ** 32
  }

  text(): string {
    const length = this.u32()
    const start = this.#advance(length)
    return this.#bytes.toString('utf8', start, start + length)
  }

  name(): string {
    const start = this.#advance(nameBytes)
    let end = start
    while (end < this.#at && this.#byte(end) !== 0) end++
    return this.#bytes.toString('latin1', start, end)
  }

  /** The rest of the payload. */
  bytes(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  // Arithmetic on bytes: half the time of Buffer's own methods, which check what `#advance` has checked.
  #u32(at: number): number {
    return this.#byte(at) + this.#byte(at + 1) * 2 ** 8 + this.#byte(at + 2) * 2 ** 16 + this.#byte(at + 3) * 2 ** 24
  }

  #byte(at: number): number {
    return this.#bytes[at] as number
  }

  #advance(bytes: number): number {
    const at = this.#at
    if (at + bytes > this.#bytes.length)
      throw new Error(`a payload of ${this.#bytes.length} bytes from ptyhost is cut short`)
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
    // The caller reads the next bytes into the same memory.
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
