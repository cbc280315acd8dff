/** A pattern of a file's name: `*`, `?`, and classes of characters. Its time grows with the product of both lengths, whatever it says. */

/** Of each character: any number of any, or one of which this holds. */
export type NamePattern = readonly ('any' | ((character: string) => boolean))[]

export function globParts(pattern: string): NamePattern {
  const pieces = pattern.match(/\*+|\?|\[[!^]?[^\]]+\]|\\[\s\S]|[\s\S]/gu) ?? []
  return pieces.map((piece) => {
    if (piece.startsWith('*')) return 'any'
    if (piece === '?') return () => true
    if (piece.length > 2 && piece.startsWith('[')) return classOf(piece.slice(1, -1))
    const wanted = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece
    return (character) => character === wanted
  })
}

function classOf(inner: string): (character: string) => boolean {
  const isOpposite = /^[!^]./.test(inner)
  const ranges = (isOpposite ? inner.slice(1) : inner).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? []
  return (character) => isOpposite !== ranges.some((range) => isWithin(range, character))
}

function isWithin(range: string, character: string): boolean {
  const [first = '', , last = first] = [...range]
  return character >= first && character <= last
}

/** Goes back to the last star alone, which is enough. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  const characters = [...name]
  let at = 0
  let star = -1
  let tried = 0
  for (let index = 0; index < characters.length; ) {
    const part = pattern[at]
    if (part === 'any') {
      star = at++
      tried = index
    } else if (part?.(characters[index] ?? '')) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++tried
    } else return false
  }
  return pattern.slice(at).every((part) => part === 'any')
}
