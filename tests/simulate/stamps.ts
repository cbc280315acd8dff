/**
 * Stamps: pieces of output that contain their own offset. Any text, picture or raw bytes with a stamp proves how far it was
 * read, so that "nothing past this offset" and "each byte once" can be checked on any result.
 */

const pattern = /<o(\d+)\.([0-9a-z]{2})>/g

export interface Stamp {
  /** Offset of its first byte. */
  readonly offset: number
  /** Offset after its last byte. */
  readonly end: number
}

export function stampAt(offset: number): string {
  return `<o${offset}.${checkOf(offset)}>`
}

/** The stamps in a text, in its order. A false one, composed of parts of others, is left out. */
export function stampsIn(text: string): readonly Stamp[] {
  return [...text.matchAll(pattern)].flatMap(([whole, digits = '', check]) => {
    const offset = Number(digits)
    return check === checkOf(offset) ? [{ offset, end: offset + whole.length }] : []
  })
}

function checkOf(offset: number): string {
  return ((Math.imul(offset + 1, 2_654_435_761) >>> 0) % 1_296).toString(36).padStart(2, '0')
}
