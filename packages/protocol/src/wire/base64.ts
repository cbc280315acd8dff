/** Bytes of base64, in Node and in browsers. */

const isNode = typeof Buffer !== 'undefined'

export function bytesOf(text: string): Uint8Array {
  return isNode ? Buffer.from(text, 'base64') : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export function base64Of(bytes: Uint8Array): string {
  if (isNode) return Buffer.from(bytes).toString('base64')
  let text = ''
  // In pieces, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes))
  return btoa(text)
}

const pieceBytes = 8 * 1024
