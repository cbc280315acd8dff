/** Frames from values and values from payloads, by the rows of `protocol.ts`. */

import { FrameReader, FrameWriter } from './frames.ts'
import type { Field, Fields, FrameRow, Scalar } from './protocol.ts'

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

/** The values of a frame with these fields. */
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
    // Of a payload that lacks more than the added fields, the next one is read past its end.
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
