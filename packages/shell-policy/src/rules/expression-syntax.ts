/**
 * Regular expressions as text: those of JavaScript without what cannot be matched in one pass over the text, which is backreferences and
 * looking around. Whatever is left out is refused with its name, never matched in another way.
 */

export type ExpressionNode =
  | { readonly kind: 'set'; readonly ranges: readonly Range[] }
  | { readonly kind: 'edge'; readonly of: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: 'choice'; readonly options: readonly ExpressionNode[] }
  /** `max` is null without an upper bound. */
  | { readonly kind: 'repeat'; readonly part: ExpressionNode; readonly min: number; readonly max: number | null }

/** An edge takes no character: the beginning or the end of the text, of a line, or of a word. */
export type Edge = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'word' | 'notWord'

interface ExpressionFlags {
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly dotMatchesAll: boolean
}

/** Thrown by the parser alone, and caught where it is called. */
class Refusal extends Error {}

export function parseExpression(
  text: string,
  flags: ExpressionFlags,
): { readonly node: ExpressionNode } | { readonly problem: string } {
  try {
    return { node: new Parser(text, flags).all() }
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

class Parser {
  readonly #text: string
  readonly #flags: ExpressionFlags
  #at = 0

  constructor(text: string, flags: ExpressionFlags) {
    this.#text = text
    this.#flags = flags
  }

  all(): ExpressionNode {
    const node = this.#choice()
    if (this.#at < this.#text.length) throw new Refusal('a ) without its (')
    return node
  }

  #choice(): ExpressionNode {
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    const [only] = options
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options }
  }

  #sequence(): ExpressionNode {
    const parts: ExpressionNode[] = []
    while (this.#at < this.#text.length && !this.#isNext('|') && !this.#isNext(')')) parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): ExpressionNode {
    const part = this.#single()
    const times = this.#times()
    if (times === null) return part
    if (part.kind === 'edge') throw new Refusal('a repetition of ^, $ or \\b')
    this.#take('?')
    if (this.#isNext('*') || this.#isNext('+') || this.#isNext('?')) throw new Refusal('a repetition of a repetition')
    return { kind: 'repeat', part, ...times }
  }

  #times(): { readonly min: number; readonly max: number | null } | null {
    if (this.#take('*')) return { min: 0, max: null }
    if (this.#take('+')) return { min: 1, max: null }
    if (this.#take('?')) return { min: 0, max: 1 }
    const counted = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#text.slice(this.#at, this.#at + 12))
    if (counted === null) return null
    this.#at += counted[0].length
    const min = Number(counted[1])
    const max = counted[2] === undefined ? min : counted[3] === '' ? null : Number(counted[3])
    if (max !== null && max < min) throw new Refusal(`{${min},${max}}, whose numbers are out of order`)
    return { min, max }
  }

  #single(): ExpressionNode {
    const { isMultiline, dotMatchesAll } = this.#flags
    const character = this.#next()
    if (character === '(') return this.#group()
    if (character === '[') return this.#bracket()
    if (character === '.') return { kind: 'set', ranges: dotMatchesAll ? [[0, last]] : complement(lineEnds) }
    if (character === '^') return { kind: 'edge', of: isMultiline ? 'lineStart' : 'start' }
    if (character === '$') return { kind: 'edge', of: isMultiline ? 'lineEnd' : 'end' }
    if (character === '*' || character === '+' || character === '?') throw new Refusal('a repetition of nothing')
    if (character !== '\\') return this.#set(exactly(character.charCodeAt(0)))
    if (this.#take('b')) return { kind: 'edge', of: 'word' }
    if (this.#take('B')) return { kind: 'edge', of: 'notWord' }
    return this.#set(this.#escaped())
  }

  #group(): ExpressionNode {
    if (this.#take('?') && !this.#take(':')) {
      if (/^<?[=!]/.test(this.#text.slice(this.#at, this.#at + 2)))
        throw new Refusal('looking around: (?=, (?!, (?<=, (?<!')
      const name = /^<[\w$]+>/.exec(this.#text.slice(this.#at))
      if (name === null) throw new Refusal('a kind of group that is not known: write (…) or (?:…)')
      this.#at += name[0].length
    }
    const inner = this.#choice()
    if (!this.#take(')')) throw new Refusal('a ( without its )')
    return inner
  }

  #bracket(): ExpressionNode {
    const isNegated = this.#take('^')
    const ranges: Range[] = []
    while (!this.#take(']')) {
      const from = this.#inBracket()
      const [only] = from
      const isSpan =
        this.#isNext('-') && this.#text[this.#at + 1] !== ']' && from.length === 1 && only?.[0] === only?.[1]
      if (!isSpan || only === undefined) {
        ranges.push(...from)
        continue
      }
      this.#next()
      const [to, ...more] = this.#inBracket()
      if (to === undefined || more.length > 0 || to[0] !== to[1] || to[0] < only[0])
        throw new Refusal('a range in [ ] that is out of order')
      ranges.push([only[0], to[0]])
    }
    const set = this.#set(ranges)
    return isNegated && set.kind === 'set' ? { kind: 'set', ranges: complement(set.ranges) } : set
  }

  #inBracket(): readonly Range[] {
    const character = this.#next()
    const code = character.charCodeAt(0)
    if (code >= 0xd800 && code <= 0xdfff) throw new Refusal('a character in [ ] that is two: write (a|b)')
    if (character !== '\\') return exactly(code)
    return this.#take('b') ? exactly(8) : this.#take('-') ? exactly(45) : this.#escaped()
  }

  /** Parses the text after a backslash. */
  #escaped(): readonly Range[] {
    const character = this.#next()
    const known = classes[character]
    if (known !== undefined) return known
    if (/[1-9k]/.test(character)) throw new Refusal(`a reference to a group: \\${character}`)
    if (Object.hasOwn(controls, character)) return exactly(controls[character] ?? 0)
    if (character === 'x') return exactly(this.#hex(2))
    if (character === 'u') return exactly(this.#hex(4))
    if (/[a-zA-Z]/.test(character)) throw new Refusal(`an escape that is not known: \\${character}`)
    return exactly(character.charCodeAt(0))
  }

  #hex(length: number): number {
    const text = this.#text.slice(this.#at, this.#at + length)
    if (text.length < length || !/^[0-9a-fA-F]+$/.test(text)) throw new Refusal('\\x or \\u without its digits')
    this.#at += length
    return Number.parseInt(text, 16)
  }

  #set(ranges: readonly Range[]): ExpressionNode {
    return { kind: 'set', ranges: this.#flags.ignoresCase ? inBothCases(ranges) : ranges }
  }

  #isNext(character: string): boolean {
    return this.#text[this.#at] === character
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false
    this.#at++
    return true
  }

  #next(): string {
    const character = this.#text[this.#at++]
    if (character === undefined) throw new Refusal('an end where something is missing: a ] or what belongs to a \\')
    return character
  }
}

// Sets of characters, as ranges of code units.

/** A range of characters, both ends included. */
export type Range = readonly [from: number, to: number]

const last = 0xffff
const digits: readonly Range[] = [[48, 57]]
const wordCharacters: readonly Range[] = [...digits, [65, 90], [95, 95], [97, 122]]
const blanks: readonly Range[] = [
  ...([
    [9, 13],
    [32, 32],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
]
const lineEnds: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]
const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  w: wordCharacters,
  s: blanks,
  D: complement(digits),
  W: complement(wordCharacters),
  S: complement(blanks),
}
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

const exactly = (code: number): readonly Range[] => [[code, code]]

function complement(ranges: readonly Range[]): readonly Range[] {
  const left: Range[] = []
  let from = 0
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (start > from) left.push([from, start - 1])
    from = Math.max(from, end + 1)
  }
  return from > last ? left : [...left, [from, last]]
}

/** Returns the ranges in both cases, for Latin letters in ranges and for every single letter. */
function inBothCases(ranges: readonly Range[]): readonly Range[] {
  return ranges.flatMap(([from, to]): readonly Range[] => {
    if (from === to) {
      const letter = String.fromCharCode(from)
      const both = [letter, letter.toLowerCase(), letter.toUpperCase()].filter((one) => one.length === 1)
      return both.map((one): Range => [one.charCodeAt(0), one.charCodeAt(0)])
    }
    const small: Range = [Math.max(from, 97), Math.min(to, 122)]
    const large: Range = [Math.max(from, 65), Math.min(to, 90)]
    return [
      [from, to],
      ...(small[0] <= small[1] ? [[small[0] - 32, small[1] - 32] as const] : []),
      ...(large[0] <= large[1] ? [[large[0] + 32, large[1] + 32] as const] : []),
    ]
  })
}
