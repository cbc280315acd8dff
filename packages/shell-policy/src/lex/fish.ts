/** Rewrites fish code, where it is similar to bash: its blocks and substitutions get bash's words, which the same parser reads. */

/** Null when a block is not closed. */
export function fishToBash(source: string): string | null {
  const tokens = tokensOf(source)
  return tokens === null ? null : new Translation(tokens).read()
}

const depthMax = 20 // conditions within conditions

const heads = new Set(['function', 'for', 'while', 'if', 'switch', 'begin'])
/** The words that end each block, and the extra effect of a function that runs automatically. */
const closing: Readonly<Record<string, string>> = {
  for: 'done',
  while: 'done',
  if: 'fi',
  switch: ';; esac',
  begin: '}',
}

class Translation {
  readonly #tokens: readonly Token[]
  readonly #depth: number
  readonly #output: string[] = []
  /** The closing word of each open block. */
  readonly #blocks: string[] = []
  #at = 0
  #startsCommand = true

  constructor(tokens: readonly Token[], depth = 0) {
    this.#tokens = tokens
    this.#depth = depth
  }

  read(): string | null {
    for (; this.#at < this.#tokens.length; this.#at++) {
      const { text, kind } = this.#tokens[this.#at] ?? { text: '', kind: 'blank' }
      if (kind !== 'word') this.#between(text, kind)
      else if (!this.#startsCommand) this.#output.push(text)
      else if (!this.#command(text)) return null
    }
    return this.#blocks.length > 0 ? null : this.#output.join('')
  }

  #between(text: string, kind: Token['kind']): void {
    // `&` also ends a command.
    if (!(text === ';' && /&\s*$/.test(this.#output.slice(-3).join('')))) this.#output.push(text)
    if (kind === 'separator') this.#startsCommand = true
  }

  /** False where a block ends that was not begun. */
  #command(text: string): boolean {
    this.#startsCommand = false
    if (heads.has(text)) this.#begin(text)
    else if (text === 'end') return this.#end()
    else if (text === 'else') this.#else()
    else if (text === 'case') return this.#case()
    else if (text === 'and' || text === 'or' || text === 'not') {
      this.#output.push(text === 'not' ? '! ' : '')
      this.#startsCommand = true
    } else if (text === 'builtin' || text === 'command' || text === 'time') {
      this.#output.push(text)
      this.#startsCommand = text === 'time' || this.#nextWord() !== undefined
    } else this.#simple(text)
    return true
  }

  #begin(keyword: string): void {
    const end = endOfHead(this.#tokens, this.#at + 1)
    const words = this.#wordsTo(end)
    const head = this.#tokens
      .slice(this.#at + 1, end)
      .map((token) => token.text)
      .join('')
      .trim()
    this.#blocks.push(keyword === 'function' ? `}${ownStart(words)}` : (closing[keyword] ?? '}'))
    // Conditions may be any commands: they are read like all others.
    if (keyword === 'if' || keyword === 'while') {
      this.#output.push(`${keyword} `)
      this.#condition(end, keyword === 'if' ? '; then ' : '; do ')
      return
    }
    this.#output.push(headOf(keyword, head, words))
    this.#at = keyword === 'begin' ? lastSeparator(this.#tokens, this.#at) : end
    this.#startsCommand = true
  }

  /** Up to the end of its line, with what `and` and `or` add to it. */
  #condition(end: number, after: string): void {
    let last = end
    while (/^(and|or)$/.test(this.#wordAfter(last)?.text ?? ''))
      last = endOfHead(this.#tokens, this.#indexAfter(last) + 1)
    const inner =
      this.#depth < depthMax ? new Translation(this.#tokens.slice(this.#at + 1, last), this.#depth + 1).read() : null
    // A bracket that is not closed is not read.
    this.#output.push(inner ?? '(', after)
    this.#at = last
    this.#startsCommand = true
  }

  #end(): boolean {
    const closed = this.#blocks.pop()
    if (closed === undefined) return false
    const isEnded = /[;&\n]\s*$/.test(this.#output.slice(-3).join(''))
    this.#output.push(`${isEnded ? ' ' : '; '}${closed}`)
    return true
  }

  #else(): void {
    const next = this.#tokens.findIndex((token, index) => index > this.#at && token.kind === 'word')
    if (this.#tokens[next]?.text === 'if') {
      this.#output.push('elif ')
      this.#at = next
      this.#condition(endOfHead(this.#tokens, next + 1), '; then ')
      return
    }
    this.#output.push('else ')
    this.#startsCommand = true
    while (this.#tokens[this.#at + 1]?.kind === 'separator') this.#at++
  }

  #case(): boolean {
    if (this.#blocks.at(-1) !== closing['switch']) return false
    const end = endOfHead(this.#tokens, this.#at + 1)
    const isFirst = / in\s*$/.test(this.#output.slice(-3).join(''))
    const isEnded = /[;\n]\s*$/.test(this.#output.slice(-3).join(''))
    this.#output.push(`${isFirst ? '' : isEnded ? ':;; ' : ';:;; '}${this.#wordsTo(end).join('|')}) `)
    this.#at = end
    this.#startsCommand = true
    return true
  }

  #simple(text: string): void {
    const end = endOfHead(this.#tokens, this.#at + 1)
    const words = this.#wordsTo(end)
    const own = ownCommand(text, words)
    this.#output.push(own ?? text)
    if (own !== null) this.#at = end - 1
  }

  #wordsTo(end: number): readonly string[] {
    return this.#tokens
      .slice(this.#at + 1, end)
      .filter((token) => token.kind === 'word')
      .map((token) => token.text)
  }

  #nextWord(): Token | undefined {
    return this.#wordAfter(this.#at)
  }

  #indexAfter(at: number): number {
    return this.#tokens.findIndex((token, index) => index > at && token.kind === 'word')
  }

  #wordAfter(at: number): Token | undefined {
    return this.#tokens[this.#indexAfter(at)]
  }
}

function headOf(keyword: string, head: string, words: readonly string[]): string {
  if (keyword === 'function') return `${words[0] ?? '_'}() { `
  if (keyword === 'for') return `for ${head}; do `
  if (keyword === 'switch') return `case ${head} in `
  return '{ '
}

/** fish calls a function for an event. */
function ownStart(words: readonly string[]): string {
  return words.some((word) => /^(--on-|-[esvjp]$)/.test(word)) ? `; add-zsh-hook event ${words[0] ?? ':'}` : ''
}

/** A command that bash has not, or has in another way; null for all others. */
function ownCommand(name: string, words: readonly string[]): string | null {
  if (name === 'set') return assignment(words)
  if (name === 'alias') return aliasOf(words)
  const isSource = name === 'source' || name === '.'
  return isSource && (words.length === 0 || words[0] === '-') ? `${name} /dev/stdin` : null
}

function aliasOf(words: readonly string[]): string | null {
  const [name, ...value] = words.filter((word) => !/^(-s|--save)$/.test(word))
  if (name === undefined || value.length === 0 || name.includes('=')) return null
  return `alias ${name}=${value.join(' ')}`
}

function assignment(words: readonly string[]): string {
  const isQuery = words.some((word) => /^-[a-z]*[qeS]|^--(erase|query|show)/.test(word))
  // A universal variable stays for all later shells.
  const stays = words.some((word) => /^-[a-zA-Z]*U|^--universal/.test(word)) ? 'fish_universal; ' : ''
  const [name, ...values] = words.filter((word) => !word.startsWith('-'))
  if (name === undefined || isQuery) return ':'
  // Lists of folders are joined for programs.
  if (/PATH$|_paths?$/i.test(name))
    return `${stays}export ${name === 'fish_user_paths' ? 'PATH' : name}=${values.join(':')}`
  // Unquoted, a list is as many words as it has elements. Blanks within a substitution end no element.
  const isList = values.length !== 1 && values.some((value) => value.includes('('))
  return `${stays}${isList ? `${name}=(${values.join(' ')})` : `export ${name}=${values.join("' '")}`}`
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

// The words of a line of fish, as bash writes them.

interface Token {
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
function tokensOf(source: string): readonly Token[] | null {
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
