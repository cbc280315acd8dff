/**
 * Bytes of the wire to ptyhost: frames out of a stream, and the fields of one payload. `protocol.ts` says what the
 * payloads hold.
 *
 * A frame is u32 length, u32 session, u8 type, three zero bytes, payload; all little-endian.
 */

import { frameBytesMax } from '@agentpty/protocol'
import { type Field, type Fields, type FrameRow, frameHeaderBytes, type Scalar } from './protocol.ts'

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

// Frames from values and values from payloads, by the rows of `protocol.ts`.

type ScalarValue<Type> = Type extends 'bool'
  ? boolean
  : Type extends 'text' | 'name'
    ? string
    : Type extends 'bytes'
      ? Uint8Array
      : number

type Value<Type> = Type extends readonly [infer Item]
  ? readonly Value<Item>[]
  : Type extends Fields
    ? Values<Type>
    : ScalarValue<Type>

export type Values<F extends Fields> = { readonly [Name in keyof F]: Value<F[Name]> }

/** Errors: throws when a value does not fit its field. */
export function encodeFrame<F extends Fields>(row: FrameRow<F>, session: number, values: Values<F>): Buffer {
  const writer = new FrameWriter(row.type, session)
  writeFields(writer, row.fields, values)
  return writer.finish()
}

/**
 * The `bytes` of the result are a view into the payload; what follows the last field is ignored.
 *
 * Errors: throws when the payload is shorter than its fields.
 */
export function decodePayload<F extends Fields>(row: FrameRow<F>, payload: Buffer): Values<F> {
  return readFields(new FrameReader(payload), row.fields, row.added) as Values<F>
}

function writeFields(writer: FrameWriter, fields: Fields, values: Values<Fields>): void {
  for (const name in fields) writeField(writer, fields[name] as Field, values[name])
}

function writeField(writer: FrameWriter, field: Field, value: unknown): void {
  if (typeof field === 'string') {
    writeScalar(writer, field, value)
    return
  }
  const [item] = field
  const items = value as readonly unknown[]
  writer.u32(items.length)
  for (const one of items) {
    if (typeof item === 'string') writeScalar(writer, item, one)
    else writeFields(writer, item, one as Values<Fields>)
  }
}

function writeScalar(writer: FrameWriter, type: Scalar, value: unknown): void {
  if (type === 'bool') writer.u8(value === true ? 1 : 0)
  else if (type === 'text' || type === 'name') writer[type](value as string)
  else if (type === 'bytes') writer.bytes(value as Uint8Array)
  else writer[type](value as number)
}

function readFields(reader: FrameReader, fields: Fields, added = 0): Record<string, unknown> {
  // A copy of the row has all names from the start, which is a third faster than adding one after the other.
  const values: Record<string, unknown> = { ...fields }
  let missing = 0
  for (const name in fields) {
    // Where a payload lacks more than the added fields, the next field is read past its end.
    const isMissing = missing < added && reader.isAtEnd
    if (isMissing) missing += 1
    const field = fields[name] as Field
    values[name] = isMissing ? (typeof field === 'string' ? 0 : []) : readField(reader, field)
  }
  return values
}

function readField(reader: FrameReader, field: Field): unknown {
  if (typeof field === 'string') return readScalar(reader, field)
  const [item] = field
  const items: unknown[] = []
  // The list grows item by item: a count that is too large takes no memory before the payload ends.
  for (let left = reader.u32(); left > 0; left--) {
    items.push(typeof item === 'string' ? readScalar(reader, item) : readFields(reader, item))
  }
  return items
}

function readScalar(reader: FrameReader, type: Scalar): unknown {
  switch (type) {
    case 'u8':
      return reader.u8()
    case 'u16':
      return reader.u16()
    case 'u32':
      return reader.u32()
    case 'i32':
      return reader.i32()
    case 'u64':
      return reader.u64()
    case 'bool':
      return reader.u8() === 1
    case 'text':
      return reader.text()
    case 'name':
      return reader.name()
    case 'bytes':
      return reader.bytes()
  }
}
