/** Escape sequences in raw output. */

import { unfinishedEscapeCharactersMax } from '../limits.ts'
import { csiParameters, sequence, stringBegin } from './patterns.ts'

const sequences = new RegExp(sequence, 'g')
const beginOfString = new RegExp(`^${stringBegin}`)
const unfinished = new RegExp(String.raw`^(?:\x1b(?:\[${csiParameters}|[ -/]+)|${stringBegin}[^\x07]*)$`)

/**
 * The text without escape sequences; line ends and other control characters stay.
 *
 * @example withoutEscapes('\x1b[31mred\x1b[0m\r\n') // 'red\r\n'
 */
export function withoutEscapes(text: string): string {
  return text.replaceAll(sequences, '')
}

/**
 * The beginning of an escape sequence at the end of a text; empty when there is none, or when it is too long to wait for.
 *
 * @example unfinishedEscape('red\x1b[3') // '\x1b[3'
 */
export function unfinishedEscape(text: string): string {
  const at = text.lastIndexOf('\x1b')
  const rest = at < 0 ? '' : text.slice(at)
  if (rest.length > unfinishedEscapeCharactersMax) return ''
  // In a string that ends with ESC \, the end begins with ESC as well.
  if (rest === '\x1b') return unfinishedString(text.slice(0, at)) + rest
  return unfinished.test(rest) ? rest : ''
}

function unfinishedString(text: string): string {
  const rest = unfinishedEscape(text)
  return beginOfString.test(rest) ? rest : ''
}
