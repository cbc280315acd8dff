/** Brace expansion of a word's text, before anything else is done with it. Quotes and `${` are left alone. */

const wordsMax = 2_000 // more words than any command line that a person could check

/** Null when there would be too many. */
export function expandBraces(text: string): readonly string[] | null {
  const done: string[] = []
  const open: string[] = [text]
  for (let word = open.pop(); word !== undefined; word = open.pop()) {
    const choices = firstBrace(word)
    if (choices === null) done.push(word)
    else open.push(...[...choices].reverse())
    if (done.length + open.length > wordsMax) return null
  }
  return done
}

/** The words that the first brace makes; null without one. */
function firstBrace(word: string): readonly string[] | null {
  for (let at = 0; at < word.length; at = afterUnit(word, at)) {
    if (word[at] !== '{') continue
    const found = readBrace(word, at)
    if (found === null) continue
    const before = word.slice(0, at)
    const after = word.slice(found.end)
    if (found.choices.length > wordsMax) return found.choices.slice(0, wordsMax + 1)
    return found.choices.map((choice) => `${before}${choice}${after}`)
  }
  return null
}

/** Past one character, one quoted part or one expansion. */
function afterUnit(word: string, at: number): number {
  const character = word[at]
  if (character === '\\') return at + 2
  if (character === "'" || character === '"') return afterQuote(word, at)
  if (character === '$' && word[at + 1] === '{') return afterClosing(word, at + 1, '}')
  if (character === '$' && word[at + 1] === '(') return afterClosing(word, at + 1, ')')
  if (character === '`') return afterQuote(word, at)
  return at + 1
}

function afterQuote(word: string, at: number): number {
  const quote = word[at]
  for (let end = at + 1; end < word.length; end++) {
    if (word[end] === '\\' && quote !== "'") end++
    else if (word[end] === quote) return end + 1
  }
  return word.length
}

function afterClosing(word: string, at: number, closing: '}' | ')'): number {
  const opening = closing === '}' ? '{' : '('
  let depth = 0
  for (let end = at; end < word.length; end++) {
    if (word[end] === '\\') end++
    else if (word[end] === opening) depth++
    else if (word[end] === closing && --depth === 0) return end + 1
  }
  return word.length
}

function readBrace(word: string, start: number): { readonly choices: readonly string[]; readonly end: number } | null {
  const parts: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start + 1; at < word.length; at = afterUnit(word, at)) {
    const character = word[at]
    if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
    else if (character === ',' && depth === 0) {
      parts.push(word.slice(from, at))
      from = at + 1
    } else if (character === '}') {
      const last = word.slice(from, at)
      const choices = parts.length > 0 ? [...parts, last] : sequence(last)
      return choices === null ? null : { choices, end: at + 1 }
    }
  }
  return null
}

/** `1..9`, `a..e`, `0..10..2`; null when it is none. */
function sequence(text: string): readonly string[] | null {
  const [from = '', to = '', step = '1', ...rest] = text.split('..')
  if (rest.length > 0 || to === '' || !/^-?\d{1,9}$/.test(step)) return null
  const isNumeric = /^-?\d{1,9}$/.test(from) && /^-?\d{1,9}$/.test(to)
  if (!isNumeric && !(/^[a-zA-Z]$/.test(from) && /^[a-zA-Z]$/.test(to))) return null
  const [first, last] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)]
  const by = Math.max(1, Math.abs(Number(step)))
  const count = Math.min(Math.floor(Math.abs(last - first) / by) + 1, wordsMax + 1)
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -by : by) * index
    return isNumeric ? String(value) : String.fromCharCode(value)
  })
}
