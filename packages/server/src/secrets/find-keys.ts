import { keyShape, mayHoldShapes, type SecretSpan, wordShapes } from '@agentpty/protocol/secrets'

// Builds a pattern for the possible start of a match at the end of a text. Every part of the pattern becomes optional
// where the text ends: `ab{2}` becomes `(?:a|$)(?:b|$){2}`.
//
// It knows the syntax that the table of shapes uses: characters, classes, groups, alternatives, quantifiers, `^`, `\b`,
// lookaheads.

/** Matches at the end of a text, whole matches of `pattern` too. */
function partialOf({ source, ignoreCase }: RegExp): RegExp {
  // A lookahead at the end of the pattern must match here as well, as far as the text goes.
  const parts = source
    .replace(trailingLookahead, '(?:$1)')
    .replaceAll(part, (whole, atom: string | undefined, quantifier = '') =>
      atom === undefined ? whole : `(?:${atom}|$)${quantifier}`,
    )
  return new RegExp(`(?:${parts})$`, ignoreCase ? 'i' : '')
}

const characterClass = String.raw`\[(?:\\.|[^\]\\])*\]`
const trailingLookahead = new RegExp(String.raw`\(\?=((?:${characterClass}|[^()[])*)\)$`)
/** A negative lookahead stays: at the end of the text nothing follows. */
const negativeLookahead = String.raw`\(\?!(?:${characterClass}|[^()[])*\)`
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`
/** Parts without text of their own stay unchanged; a group without text consists of parts without text. */
const structure = String.raw`${negativeLookahead}|\((?:\?(?:[:=]|<\w+>))?|\)${quantifier}?|[|^$]`
const part = new RegExp(String.raw`${structure}|(\\b|${characterClass}|\\.|.)(${quantifier})?`, 'g')

// Private keys in part of a text. A key continues while its lines look like it, even numbered, quoted or indented, without its end.

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const begins = new RegExp(begin, 'g')
const partialBegin = partialOf(begin)
const partialEndLine = new RegExp(`^[^A-Za-z-]{0,16}${partialOf(end).source}`)
const endLine = new RegExp(`^[^A-Za-z-]{0,16}${end.source}`)
/** On one line, as in JSON, its line ends are written out. */
const onOneLine = new RegExp(String.raw`[A-Za-z0-9+/=\\]*(?:${end.source})?`, 'y')
const keyLine =
  /^(?:[^A-Za-z-]{0,16}[A-Za-z0-9+/=]{32,}["',]{0,3}|[ \t]{0,16}[A-Za-z0-9+/=]*|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): .*)[ \t\r]*$/
const partialKeyLine = partialOf(keyLine)
/** The longest beginning of `begin`. */
const markCharactersMax = 80

interface FoundKey extends SecretSpan {
  /** It reaches the end of the text, and may go on. */
  readonly isOpen: boolean
}

/** Before escapes are taken out of the text: not all three parts of a mark have some within. */
export const mayHoldKey = (text: string): boolean => text.includes('-----') || text.includes('PRIVATE')

export function findKeys(text: string): readonly FoundKey[] {
  if (!text.includes('PRIVATE KEY')) return []
  const found: FoundKey[] = []
  for (const { index, 0: mark } of text.matchAll(begins)) {
    if (index < (found.at(-1)?.to ?? 0)) continue
    found.push({ from: index, what: keyShape.what, ...endOfKey(text, index + mark.length) })
  }
  return found
}

/** Where a key begins that may go on after the text, or the mark of one; the text's length without. */
export function openKeyFrom(text: string): number {
  const open = findKeys(text).find(({ isOpen }) => isOpen)
  if (open !== undefined) return open.from
  const tail = Math.max(0, text.length - markCharactersMax)
  return tail + (partialBegin.exec(text.slice(tail))?.index ?? text.length - tail)
}

function endOfKey(text: string, from: number): Pick<FoundKey, 'to' | 'isOpen'> {
  onOneLine.lastIndex = from
  let to = from + (onOneLine.exec(text)?.[0].length ?? 0)
  if (text.slice(from, to).endsWith('-----')) return { to, isOpen: false }
  const rest = text.slice(to, endOfLine(text, to))
  if (to + rest.length === text.length) return { to, isOpen: isBlank(rest) || partialEndLine.test(rest) }
  if (!isBlank(rest)) return { to, isOpen: false }
  for (;;) {
    const begun = endOfLine(text, to) + 1
    const line = text.slice(begun, endOfLine(text, begun))
    const last = endLine.exec(line)
    if (last !== null) return { to: begun + last[0].length, isOpen: false }
    const isLast = begun + line.length === text.length
    if (!keyLine.test(line)) return { to, isOpen: isLast && (partialEndLine.test(line) || partialKeyLine.test(line)) }
    to = begun + line.length
    if (isLast) return { to, isOpen: true }
  }
}

const isBlank = (text: string): boolean => /^[ \t\r]*$/.test(text)

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

const partials = wordShapes.map(({ pattern }) => partialOf(pattern))
/** The longest word of the table: a web token. */
const wordCharactersMax = 9_200
/** The text that a shape may have before its word. */
const leadCharactersMax = 128

/** Secrets by the shapes that are a word: found in a text, and how it may end inside one. */
export function findWords(text: string): readonly SecretSpan[] {
  if (!mayHoldShapes(text)) return []
  return wordShapes.flatMap(({ what, pattern }) =>
    Array.from(text.matchAll(pattern), (found) => ({
      from: found.index + keptIn(found),
      to: found.index + found[0].length,
      what,
    })),
  )
}

/** Where a word begins at the end of the text that may become one of the shapes; the text's length without. */
export function openWordFrom(text: string): number {
  const word = wordAtEnd(text)
  // The secret itself holds no blanks.
  if (word === text.length) return word
  const from = Math.max(0, word - leadCharactersMax)
  const tail = text.slice(from)
  return partials.reduce((earliest, partial) => {
    const found = partial.exec(tail)
    return found === null ? earliest : Math.min(earliest, from + found.index + keptIn(found))
  }, text.length)
}

const keptIn = ({ groups }: RegExpExecArray): number => groups?.['kept']?.length ?? 0

/** Where the last word begins, as far as it counts. */
function wordAtEnd(text: string): number {
  const farthest = Math.max(0, text.length - wordCharactersMax)
  let at = text.length
  while (at > farthest && text.charCodeAt(at - 1) > blank) at--
  return at
}

/** All blanks and controls, as far as text of terminals goes, are no more than this. */
export const blank = 0x20
