/**
 * Is output nothing but lines of text? Every byte of a flood is tested, so no string is made and four bytes are read at
 * a time; they are read one by one only when one of them is not an ordinary character.
 */

import { c1End, c1Lead, controlByte, firstPrintable } from '@agentpty/protocol/escapes'

const { tab, lineFeed, carriageReturn, del } = controlByte

/** 1 for a byte that is not text; 2 for one that may begin an 8-bit control. */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === tab || byte === lineFeed || byte === carriageReturn) return 0
  if (byte < firstPrintable || byte === del) return 1
  return byte === c1Lead ? 2 : 0
})

const wordBytes = 4
/** The highest bit of each byte of a word, and all other bits. */
const highBits = 0x8080_8080
const lowBits = 0x7f7f_7f7f
/** Added to the lower seven bits of a byte these reach its highest bit: from a space on, and for DEL alone. */
const fromSpace = 0x6060_6060
const fromDel = 0x0101_0101

/** True when there is no control in it but tabs and line ends. */
export function isPlainLines(bytes: Uint8Array): boolean {
  return holdsEverywhere(bytes, isPlain)
}

/** The same, and every carriage return belongs to a line end in these bytes: removing all of them joins no two words. */
export function isWholeLines(bytes: Uint8Array): boolean {
  return holdsEverywhere(bytes, isWhole)
}

/** True when it holds for all parts that have more than printable ASCII; for others it must hold anyway. */
function holdsEverywhere(
  bytes: Uint8Array,
  holds: (bytes: Uint8Array, from: number, until: number) => boolean,
): boolean {
  const { buffer, byteOffset, length } = bytes
  const begin = Math.min(length, -byteOffset & (wordBytes - 1))
  const words = new Int32Array(buffer, byteOffset + begin, (length - begin) >> 2)
  if (!holds(bytes, 0, begin)) return false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0
    const low = word & lowBits
    const hasOther = (word | ~(low + fromSpace) | (low + fromDel)) & highBits
    const from = begin + at * wordBytes
    if (hasOther !== 0 && !holds(bytes, from, from + wordBytes)) return false
  }
  return holds(bytes, begin + words.length * wordBytes, length)
}

function isPlain(bytes: Uint8Array, from: number, until: number): boolean {
  for (let at = from; at < until; at++) {
    const found = classes[bytes[at] ?? 0]
    if (found === 1 || (found === 2 && (bytes[at + 1] ?? 0) < c1End)) return false
  }
  return true
}

function isWhole(bytes: Uint8Array, from: number, until: number): boolean {
  for (let at = from; at < until; at++) {
    const byte = bytes[at] ?? 0
    const found = classes[byte]
    if (found === 1 || (found === 2 && (bytes[at + 1] ?? 0) < c1End)) return false
    if (byte === carriageReturn && bytes[at + 1] !== lineFeed) return false
  }
  return true
}
