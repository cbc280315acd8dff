/** The strings of a program, and what is left of it without them. Made for many languages, so it knows only what they share. */

export interface Literal {
  readonly value: string
  /** Up to a line of the program around it, as it stands there. */
  readonly before: string
  readonly after: string
}

const contextLength = 120

/** In `bare` each string is empty quotes; code inside template strings stays. */
export function splitLiterals(
  text: string,
  language: string,
): { readonly bare: string; readonly literals: readonly Literal[] } {
  const literals: Literal[] = []
  let bare = ''
  let [at, previousEnd] = [0, 0]
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
      // What a template puts in is code.
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
