/**
 * Text for a person who decides by it: what a terminal or a browser would not show, or show as something else, is spelled out.
 *
 * @example shownText('rm \u202efdp.exe') // 'rm ⟨U+202E⟩fdp.exe'
 */

/** Everything but printable ASCII, letters, digits and signs that look like themselves, and line feeds. */
const misleading = /[^\n\x20-\x7e\p{L}\p{N}\p{P}\p{S}]|\p{M}|[\u00a0\u00ad\u3164\uffa0\u115f\u1160\u2800]/gu
/** Letters that are taken for Latin ones, and signs that are taken for those of a shell. */
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Lisu}\u2044\u2215\uff01-\uff5e]/gu
/** In a command they are taken for the sign of an option. */
const dash = /[\u2010-\u2015]/g
/** The mark itself cannot be forged: it is spelled out as well. */
const mark = /[⟨⟩]/g

/** `prose`: the words of a question or its options, which run nothing; dashes stay in it. */
export function shownText(text: string, charactersMax: number, kind: 'command' | 'prose' = 'command'): string {
  const [head, tail] = cut(text.replaceAll(/\r\n?/g, '\n'), charactersMax)
  if (tail === '') return spelled(head, kind)
  const left = text.length - head.length - tail.length
  return `${spelled(head, kind)}\n⟨${left} characters more⟩\n${spelled(tail, kind)}`
}

/** What is at the end often counts most. */
function cut(text: string, max: number): readonly [head: string, tail: string] {
  if (text.length <= max) return [text, '']
  const half = Math.floor(max / 2)
  return [text.slice(0, half), text.slice(-half)]
}

function spelled(text: string, kind: 'command' | 'prose'): string {
  const isMixed = /[a-zA-Z]/.test(text)
  const plain = text.replaceAll(mark, codeOf).replaceAll(misleading, codeOf)
  if (!isMixed) return plain
  const letters = plain.replaceAll(lookAlike, codeOf)
  return kind === 'prose' ? letters : letters.replaceAll(dash, codeOf)
}

function codeOf(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `⟨U+${number}⟩`
}
