/** The words of a line of fish, as bash writes them. */

export interface Token {
  readonly text: string
  readonly kind: 'word' | 'blank' | 'separator'
}

/** `(… | psub)` is a file with what the program puts out. */
function opening(source: string, at: number): string {
  if (source[at - 1] === '$') return '('
  return /^\((?:[^()]|\([^()]*\))*\|\s*psub\b[^()]*\)/.test(source.slice(at, at + 4_000)) ? '<(' : '$('
}

/** A character by its number, as a word of bash. */
function quotedCharacter(code: string): string {
  const number = /^[0-7]/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16)
  const character = number > 0x10ffff || number === 0 ? '?' : String.fromCodePoint(number)
  return character === "'" ? "\\'" : `'${character}'`
}

/** Words with quotes as bash has them, and `(…)` as `$(…)`; null where a quote is not closed. */
export function tokensOf(source: string): readonly Token[] | null {
  const tokens: Token[] = []
  let word = ''
  const endWord = () => {
    if (word !== '') tokens.push({ text: word, kind: 'word' })
    word = ''
  }
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === '\\') {
      const spelled = /^\\(x[0-9a-fA-F]{1,2}|X[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3})/.exec(
        source.slice(at, at + 10),
      )
      if (spelled === null) word += character + (source[++at] ?? '')
      else {
        word += quotedCharacter(spelled[1] ?? '')
        at += spelled[0].length - 1
      }
    } else if (character === "'" || character === '"') {
      let end = at + 1
      while (end < source.length && source[end] !== character) end += source[end] === '\\' ? 2 : 1
      if (end >= source.length) return null
      const inner = source.slice(at + 1, end)
      word +=
        character === "'"
          ? `'${inner.replace(/\\(['\\])/g, (_, one) => (one === "'" ? "'\\''" : '\\'))}'`
          : `"${inner}"`
      at = end
    } else if (character === '(') word += opening(source, at)
    else if (character === ' ' || character === '\t') {
      endWord()
      tokens.push({ text: character, kind: 'blank' })
    } else if (/[;\n|&]/.test(character) && !/[<>]/.test(source[at - 1] ?? '')) {
      endWord()
      const text = source.slice(at).match(/^(&&|\|\||&\||[;\n|&])/)?.[0] ?? character
      tokens.push({ text: text === '&|' ? '|&' : text, kind: 'separator' })
      at += text.length - 1
    } else word += character
  }
  endWord()
  return tokens
}
