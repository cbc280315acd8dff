/** The bytes of UTF-8 without a character that is cut at their end. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, -back) : bytes
    }
  }
  return bytes
}

/** Names that a misspelt one may have meant: closest first, none farther than `farthest` letters from it. */
export function nearNames(
  name: string,
  candidates: readonly string[],
  { count, farthest = Math.max(2, Math.floor(name.length / 2)) }: NearNamesOptions,
): readonly string[] {
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

interface NearNamesOptions {
  readonly count: number
  /** In letters inserted, left out, replaced or swapped with the next one; by default half of the name. */
  readonly farthest?: number
}

/** Levenshtein's distance, where two letters in the wrong order count once. */
function editDistance(a: string, b: string): number {
  let above: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const twoAbove = above
    above = row
    row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min(replaced, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
  }
  return row[b.length] ?? 0
}

// Bytes that are not UTF-8.

/** A character has at most this many bytes behind its first one. */
export const continuationsMax = 3

interface InvalidRange {
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

/** Names of variables as a person lists them: `AWS_*, DEPLOY_CODE`. `*` is any characters. */
export function namesIn(list: string): (name: string) => boolean {
  const names = list.split(',').map((name) => name.trim())
  const patterns = names.filter((name) => name !== '').map((name) => new RegExp(`^${name.replaceAll('*', '.*')}$`))
  return (name) => patterns.some((pattern) => pattern.test(name))
}
