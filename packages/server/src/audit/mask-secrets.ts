/**
 * Text for the journal, without what looks like a secret: keys of known shapes, and what is given to a name, a flag or a header that says
 * so. What a secret is nobody can see in every case: the journal is its user’s alone, as the terminal is.
 */

import { maskShapes } from '@agentpty/protocol/secrets'

const mask = '[masked]'

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
/** @example maskSecrets('TOKEN=abc make') // 'TOKEN=[masked] make' */
export function maskSecrets(text: string): string {
  return maskShapes(text).replaceAll(headers, `$1${mask}`).replaceAll(given, `$1${mask}`)
}
