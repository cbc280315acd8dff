/** The strings of a program, and what is left of it without them. Made for many languages, so it knows only what they share. */

export interface Literal {
  readonly value: string
  /** The text before it: at most one line of the surrounding program. */
  readonly before: string
  readonly after: string
}

const contextLength = 120

/** `bare`: the text with empty quotes for each string; code inside template strings stays. */
export function splitLiterals(
  text: string,
  language: string,
): { readonly bare: string; readonly literals: readonly Literal[] } {
  const literals: Literal[] = []
  let bare = ''
  let at = 0
  let previousEnd = 0
  const keep = (value: string, start: number, end: number) => {
    literals.push({
      value,
      before: text.slice(Math.max(previousEnd, start - contextLength), start),
      after: text.slice(end, end + contextLength),
    })
    previousEnd = end
    at = end
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    const triple = character.repeat(3)
    if ((character === '"' || character === "'") && text.startsWith(triple, at)) {
      const end = text.indexOf(triple, at + 3)
      keep(text.slice(at + 3, end < 0 ? text.length : end), at, end < 0 ? text.length : end + 3)
      bare += '""'
    } else if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, at)
      const value = text.slice(at + 1, end - 1)
      bare += character === '`' ? '``' : '""'
      // Values inserted into a template are code.
      if (/[$#]\{/.test(value) && character !== "'") bare += value.replace(/^[^{]*\{|\}[^{]*$/g, ' ')
      keep(unescapedLiteral(value), at, end)
    } else if (
      character === '#' &&
      /^(python|ruby|perl|awk)$/.test(language) &&
      (at === 0 || /[\s;]/.test(text[at - 1] ?? ''))
    ) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (
      /^(perl|ruby)$/.test(language) &&
      /^(qq|qx|q|qw|%x|%q|%Q)[({[|!/]/.test(text.slice(at, at + 3)) &&
      !/\w/.test(text[at - 1] ?? '')
    ) {
      const opening = /[({[|!/]/.exec(text.slice(at, at + 3))
      const start = at + (opening?.index ?? 1)
      const closing =
        ({ '(': ')', '{': '}', '[': ']' } as Readonly<Record<string, string>>)[text[start] ?? ''] ?? text[start] ?? ''
      const end = text.indexOf(closing, start + 1)
      bare += text[at] === 'q' && text[at + 1] === 'x' ? '``' : text[at] === '%' && text[at + 1] === 'x' ? '``' : '""'
      keep(text.slice(start + 1, end < 0 ? text.length : end), at, end < 0 ? text.length : end + 1)
    } else {
      bare += character
      at++
    }
  }
  return { bare, literals }
}

function endOfString(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length + 1
}

function unescapedLiteral(value: string): string {
  return value
    .replace(/\\(["'`\\/$])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
}

// The findings of one scan over a program's text, before it is parsed.

const documentsMax = 1_000 // here-documents and shifts of one program
const nestingMax = 200 // brackets within brackets; the parser gives up a little later

/** Returns whether a text exceeds the bounds, before a parser spends time on it. */
export function isBeyondBounds(source: string): boolean {
  let depth = 0
  let documents = 0
  for (let at = 0; at < source.length; at++) {
    const character = source.charCodeAt(at)
    if (character === 0x28 && ++depth > nestingMax) return true
    if (character === 0x29 && depth > 0) depth--
    if (character === 0x3c && source.charCodeAt(at + 1) === 0x3c && ++documents > documentsMax) return true
  }
  return false
}

/** A line that continues. */
export function endsInBackslash(source: string): boolean {
  let count = 0
  while (source[source.length - 1 - count] === '\\') count++
  return count % 2 === 1
}

// Lines of plain words, which most commands are: nothing in them is expanded, so they need no parser.
//
// @example plainWords('git commit -m "one line"') // ['git', 'commit', '-m', 'one line']

const plainMax = 2_000 // characters; a longer line is the parser’s

/** A first word without `=`, then words that no shell reads as anything but themselves, some of them quoted. */
const plainLine =
  /^[\w./+-][\w./:+,@-]*(?: +(?:[\w./:+,@%-]|"[^"$`\\!\n]*"|'[^'\\!\n]*')(?:[\w./:+,@%=-]|"[^"$`\\!\n]*"|'[^'\\!\n]*')*)* *$/

/** Words that begin a block, an assignment or a declaration in one of the shells. */
const reserved =
  /^(?:if|then|elif|else|fi|for|foreach|while|until|do|done|case|esac|select|function|repeat|time|coproc|in|end|begin|switch|not|and|or|nocorrect|noglob|declare|typeset|local|export|readonly|exec)$/

/** Null for every other line. */
export function plainWords(line: string): readonly string[] | null {
  if (line.length > plainMax || !plainLine.test(line)) return null
  const words = line.match(/(?:[^ "']|"[^"]*"|'[^']*')+/g) ?? []
  if (/^\d+$/.test(words[0] ?? '') || words.some((word) => reserved.test(word))) return null
  if (!/["']/.test(line)) return words
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
