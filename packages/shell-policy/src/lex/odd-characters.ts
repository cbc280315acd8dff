/**
 * Characters that show a person something else than runs: invisible ones, those that turn the direction of writing, blanks that are
 * none to a shell, and letters that look like others. Inside quotes and here-documents they are text like any other.
 */

const invisible =
  /\u034f|[\ufe00-\ufe0f]|[\u180b-\u180d\u180f]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]/u
const strangeBlank = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/
/** Signs and letters of full width, dashes, slashes, quotes and the like that a shell does not know. */
const signs =
  /[\u2010-\u2015\u2018-\u201f\u2024\u2025\u2044\u2212\u2215\u2216\u2236\u223c\u2223\u29f5\u29f8\u02bc\u02d0\ua789\uff01-\uff5e\u037e\u01c3\u2768-\u2775\u2e28\u2e29\u3008-\u3011]|[\u{1d400}-\u{1d7ff}]/u
const letters =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u
const ascii = /[a-zA-Z]/
const nonAscii = /[^\0-\x7f]/

/** Returns whether the text is ASCII only, so that it needs no further inspection. */
export function isPlain(text: string): boolean {
  return !nonAscii.test(text)
}

/** Returns whether an odd character is in a position where it matters. */
export function hasOddCharacters(text: string): boolean {
  if (isPlain(text)) return false
  const bare = withoutQuoted(text)
  if (isPlain(bare)) return false
  if (invisible.test(bare) || strangeBlank.test(bare) || signs.test(bare)) return true
  return (
    bare.split(/[^\p{L}\p{M}\p{N}_]+/u).some((run) => letters.test(run) && ascii.test(run)) ||
    commandWords(bare).some((word) => letters.test(word))
  )
}

const commandWords = (bare: string) => bare.split(/[\n;&|(){}]/).map((part) => /^\s*(\S*)/.exec(part)?.[1] ?? '')

/** Letters by what they are taken for. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  һ: 'h',
  ԛ: 'q',
  ԝ: 'w',
  ո: 'n',
  ս: 'u',
  м: 'm',
  т: 't',
  г: 'r',
  к: 'k',
  п: 'n',
  в: 'b',
  ӏ: 'l',
  ο: 'o',
  α: 'a',
  ρ: 'p',
  ν: 'v',
  τ: 't',
  ι: 'i',
  κ: 'k',
  υ: 'u',
  ϲ: 'c',
  μ: 'u',
  η: 'n',
  γ: 'y',
  ɡ: 'g',
  ı: 'i',
  ᴦ: 'r',
  ꮁ: 'r',
  ⅿ: 'm',
  ⅼ: 'l',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '∕': '/',
  '⁄': '/',
  '⧸': '/',
  '∣': '|',
  ';': ';',
  '∼': '~',
  '․': '.',
}

/** Returns the text as a person might read it, to check whether something worse hides in it. */
export function asRead(text: string): string {
  let plain = ''
  for (const character of text) {
    if (invisible.test(character)) continue
    plain += strangeBlank.test(character) ? ' ' : (lookAlikes[character] ?? character)
  }
  return plain.normalize('NFKC')
}

/** Quoted parts are blanked, here-documents left out. */
function withoutQuoted(text: string): string {
  let bare = ''
  const delimiters: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\') {
      at++
      bare += nonAscii.test(text[at] ?? '') ? (text[at] ?? '') : '_'
    } else if (character === "'" || character === '"') {
      at = endOfQuote(text, at)
      bare += '_'
    } else if (character === '<' && text[at + 1] === '<' && text[at + 2] !== '<') {
      const found = /^<<-?\s*(?:'([^'\n]*)'|"([^"\n]*)"|([^\s;|&<>()]+))/.exec(text.slice(at, at + 200))
      if (found !== null) delimiters.push(found[1] ?? found[2] ?? found[3] ?? '')
      bare += ' '
      at += (found?.[0].length ?? 2) - 1
    } else if (character === '\n' && delimiters.length > 0) {
      at = endOfDocuments(text, at, delimiters.splice(0))
      bare += '\n'
    } else bare += character
  }
  return bare
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) return at
  }
  return text.length
}

function endOfDocuments(text: string, start: number, delimiters: readonly string[]): number {
  let at = start
  for (const delimiter of delimiters) {
    for (;;) {
      const end = text.indexOf('\n', at + 1)
      const line = text.slice(at + 1, end < 0 ? text.length : end)
      if (end < 0) return text.length
      at = end
      if (line.replace(/^\t+/, '') === delimiter) break
    }
  }
  return at - 1
}
