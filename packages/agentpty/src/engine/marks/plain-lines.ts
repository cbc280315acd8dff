/** Is output nothing but lines of text? Asked of every byte of a flood, so it makes no string of it. */

const [tab, lineFeed, carriageReturn, space, del, c1Lead, c1End] = [0x09, 0x0a, 0x0d, 0x20, 0x7f, 0xc2, 0xa0]

/** 1 where a byte is no text; 2 where it may begin an 8-bit control. */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === tab || byte === lineFeed || byte === carriageReturn) return 0
  if (byte < space || byte === del) return 1
  return byte === c1Lead ? 2 : 0
})

/** True when there is no control in it but tabs and line ends. */
export function isPlainLines(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const found = classes[bytes[at] ?? 0]
    if (found === 0) continue
    if (found === 1 || (bytes[at + 1] ?? 0) < c1End) return false
  }
  return true
}

/** The same, and every carriage return belongs to a line end that is here too: taking them all out joins no two words. */
export function isWholeLines(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const found = classes[byte]
    if (found === 1 || (found === 2 && (bytes[at + 1] ?? 0) < c1End)) return false
    if (byte === carriageReturn && bytes[at + 1] !== lineFeed) return false
  }
  return true
}
