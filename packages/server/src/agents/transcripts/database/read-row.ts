/** A row of SQLite: its kinds first, then its values. Errors: `RangeError`. */

export type Value = string | number | Buffer | null

/** Returns the number, and where what follows it begins. Whole numbers above 2^53 are not exact; none that matters here is one. */
export function readVarint(bytes: Buffer, from: number): [number: number, next: number] {
  let number = 0
  for (let at = from; at < from + 8; at++) {
    const byte = bytes.readUInt8(at)
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) return [number, at + 1]
  }
  return [number * 256 + bytes.readUInt8(from + 8), from + 9]
}

export function readRow(bytes: Buffer): readonly Value[] {
  const [end, first] = readVarint(bytes, 0)
  const values: Value[] = []
  let value = end
  for (let at = first; at < end; ) {
    const [kind, next] = readVarint(bytes, at)
    const length = lengthOf(kind)
    if (value + length > bytes.length) throw new RangeError('beyond its row')
    values.push(valueIn(kind, bytes.subarray(value, value + length)))
    value += length
    at = next
  }
  return values
}

/** By kind, up to 11; behind that even kinds are bytes, and odd ones text. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0]

const lengthOf = (kind: number): number => lengths[kind] ?? Math.floor((kind - 12) / 2)

function valueIn(kind: number, bytes: Buffer): Value {
  if (kind === 0) return null
  if (kind === 6) return Number(bytes.readBigInt64BE(0))
  if (kind === 7) return bytes.readDoubleBE(0)
  if (kind === 8 || kind === 9) return kind - 8
  if (kind < 6) return bytes.readIntBE(0, bytes.length)
  return kind % 2 === 0 ? bytes : bytes.toString('utf8')
}
