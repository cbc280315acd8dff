/** Bytes that are not UTF-8. */

/** A character has at most this many bytes behind its first one. */
export const continuationsMax = 3

export interface InvalidRange {
  readonly begin: number
  readonly end: number
  /** Bytes came before these: they may begin in the middle of a character. */
  readonly isCut: boolean
  /** No byte follows these. */
  readonly isEnded: boolean
}

/** Counts the bytes from `begin` to `end` that belong to no character. */
export function invalidBytesIn(bytes: Uint8Array, { begin, end, isCut, isEnded }: InvalidRange): number {
  let count = 0
  let at = isCut ? continuationsAtBegin(bytes) : 0
  while (at < end) {
    const length = characterBytesAt(bytes, at)
    if (length === 0 || (length === null && isEnded)) {
      if (at >= begin) count += 1
      at += 1
    } else if (length === null) break
    else at += length
  }
  return count
}

function continuationsAtBegin(bytes: Uint8Array): number {
  let count = 0
  while (count < continuationsMax && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}

/** 0: no character begins there. Null: the bytes end before the character does. */
function characterBytesAt(bytes: Uint8Array, at: number): number | null {
  const first = bytes[at] ?? 0
  const length = characterBytes(first)
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return null
    const [low, high] = index === 1 ? secondByteRange(first) : [0x80, 0xbf]
    if (byte < low || byte > high) return 0
  }
  return length
}

/** The length of a character by its first byte; 0 for a byte that begins none. */
function characterBytes(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}

/** Narrower where the character could be written shorter, is half of a pair, or is beyond the last one. */
function secondByteRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}
