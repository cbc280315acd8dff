/**
 * Text for the journal, without what looks like a secret: keys of known shapes, and what is given to a name, a flag or a header that says
 * so. What a secret is nobody can see in every case: the journal is its user’s alone, as the terminal is.
 */

const mask = '[masked]'

/** What begins and is made as keys of well-known services are. */
const shapes =
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bsk-[\w-]{16,}|\b[rsp]k_(?:live|test)_\w{10,}|\bAIza[\w-]{30,}|\bnpm_\w{30,}|\bhf_\w{20,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** Each word is looked at from its beginning, and not from every letter: the time grows with the text and no faster. */
const telling =
  '(?:passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)'
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"'&;|]+)`
/** `NAME=value`, `name: value`, `--password value`. */
const given = new RegExp(
  String.raw`(?<![\w.-])([\w.-]{0,60}?${telling}[\w.-]{0,40}["']?\s{0,3}[=:]\s{0,3}|--?[\w-]{0,40}?${telling}[\w-]{0,40} )${value}`,
  'gi',
)
const headers = /\b((?:bearer|basic)\s+)[\w+/=.~-]{8,}/gi
/** `https://user:password@host`. */
const addresses = /(\w:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}@/g

/** @example maskSecrets('TOKEN=abc make') // 'TOKEN=[masked] make' */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(shapes, mask)
    .replaceAll(headers, `$1${mask}`)
    .replaceAll(addresses, `$1${mask}@`)
    .replaceAll(given, `$1${mask}`)
}
