/** fish, as far as it is written like bash: its blocks and substitutions are put into bash’s words, which the same parser reads. */

interface Token {
  readonly text: string
  readonly kind: 'word' | 'blank' | 'separator'
}

/** Null when a block is not closed. */
export function fishToBash(source: string): string | null {
  const output: string[] = []
  const blocks: string[] = []
  let startsCommand = true
  const tokens = tokensOf(source)
  for (let at = 0; at < tokens.length; at++) {
    const { text, kind } = tokens[at] ?? { text: '', kind: 'blank' }
    if (kind !== 'word') {
      // `&` ends a command by itself.
      if (!(text === ';' && /&\s*$/.test(output.slice(-3).join('')))) output.push(text)
      if (kind === 'separator') startsCommand = true
      continue
    }
    if (!startsCommand) {
      output.push(text)
      continue
    }
    startsCommand = false
    if (
      text === 'function' ||
      text === 'for' ||
      text === 'while' ||
      text === 'if' ||
      text === 'switch' ||
      text === 'begin'
    ) {
      blocks.push(text)
      const end = endOfHead(tokens, at + 1)
      const head = tokens
        .slice(at + 1, end)
        .map((token) => token.text)
        .join('')
        .trim()
      output.push(headOf(text, head))
      at = text === 'begin' ? lastSeparator(tokens, at) : end
      startsCommand = true
    } else if (text === 'end') {
      const block = blocks.pop()
      if (block === undefined) return null
      const isEnded = /[;&\n]\s*$/.test(output.slice(-3).join(''))
      output.push(`${isEnded ? ' ' : '; '}${closing[block] ?? '}'}`)
    } else if (text === 'else') {
      const next = tokens.slice(at + 1).find((token) => token.kind === 'word')
      if (next?.text === 'if') return null
      output.push('else ')
      startsCommand = true
      while (tokens[at + 1]?.kind === 'separator') at++
    } else if (text === 'case') return null
    else if (text === 'and' || text === 'or' || text === 'not') {
      output.push(text === 'not' ? '! ' : '')
      startsCommand = true
    } else if (text === 'set') {
      const end = endOfHead(tokens, at + 1)
      const words = tokens
        .slice(at + 1, end)
        .filter((token) => token.kind === 'word')
        .map((token) => token.text)
      output.push(assignment(words))
      at = end - 1
    } else output.push(text)
  }
  return blocks.length > 0 ? null : output.join('')
}

const closing: Readonly<Record<string, string>> = { function: '}', for: 'done', while: 'done', if: 'fi', begin: '}' }

function headOf(keyword: string, head: string): string {
  if (keyword === 'function') return `${head.split(/\s+/)[0] ?? '_'}() { `
  if (keyword === 'for') return `for ${head}; do `
  if (keyword === 'while') return `while ${head}; do `
  if (keyword === 'if') return `if ${head}; then `
  return '{ '
}

function assignment(words: readonly string[]): string {
  const isQuery = words.some((word) => /^-[a-z]*[qeS]|^--(erase|query|show)/.test(word))
  const [name, ...values] = words.filter((word) => !word.startsWith('-'))
  if (name === undefined || isQuery) return ':'
  return values.length === 1 ? `export ${name}=${values[0]}` : `${name}=(${values.join(' ')})`
}

/** `begin;`: what separates it from its first command says nothing more. */
function lastSeparator(tokens: readonly Token[], from: number): number {
  let at = from
  while (tokens[at + 1] !== undefined && tokens[at + 1]?.kind !== 'word') at++
  return at
}

function endOfHead(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex((token, index) => index >= from && token.kind === 'separator')
  return end < 0 ? tokens.length : end
}

/** Words with quotes as bash has them, and `(…)` as `$(…)`. */
function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  let word = ''
  const endWord = () => {
    if (word !== '') tokens.push({ text: word, kind: 'word' })
    word = ''
  }
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === '\\') word += character + (source[++at] ?? '')
    else if (character === "'" || character === '"') {
      let end = at + 1
      while (end < source.length && source[end] !== character) end += source[end] === '\\' ? 2 : 1
      const inner = source.slice(at + 1, end)
      word +=
        character === "'"
          ? `'${inner.replace(/\\(['\\])/g, (_, one) => (one === "'" ? "'\\''" : '\\'))}'`
          : `"${inner}"`
      at = end
    } else if (character === '(') word += source[at - 1] === '$' ? '(' : '$('
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
