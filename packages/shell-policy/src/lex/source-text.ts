/** What one look at a program’s text tells, before it is parsed. */

const documentsMax = 1_000 // here-documents and shifts of one program
const nestingMax = 200 // brackets within brackets; the parser gives up a little later

/** Found by one look at the text, before a parser spends its time on it. */
export function isBeyondBounds(source: string): boolean {
  let [depth, documents] = [0, 0]
  for (let at = 0; at < source.length; at++) {
    const character = source.charCodeAt(at)
    if (character === 0x28 && ++depth > nestingMax) return true
    if (character === 0x29 && depth > 0) depth--
    if (character === 0x3c && source.charCodeAt(at + 1) === 0x3c && ++documents > documentsMax) return true
  }
  return false
}

/** A line that goes on. */
export function endsInBackslash(source: string): boolean {
  let count = 0
  while (source[source.length - 1 - count] === '\\') count++
  return count % 2 === 1
}
