/**
 * Private keys in a text that is a part of a longer one. Nobody waits for the end of a key: it goes on as long as its lines look
 * like those of one, also where they are numbered, quoted or shifted.
 */

import { keyShape, type SecretSpan } from '@agentpty/protocol/secrets'
import { partialOf } from './partial-pattern.ts'

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

export interface FoundKey extends SecretSpan {
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
