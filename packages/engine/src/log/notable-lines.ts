/**
 * Lines that look like errors, found in raw output without rendering it: what must not be lost when the middle of a
 * long output is left out. A guess by words, so "0 errors" counts; it is shown, never acted on.
 */

import { withoutEscapes } from '@agentpty/protocol/escapes'

export interface NotableLine {
  /** Without escape sequences, cut to `notableCharactersMax`. */
  readonly text: string
  /** Index of its first byte in the bytes searched. */
  readonly offset: number
}

export const notableCharactersMax = 200

/** Searched before and after the word; a longer line is shown in part. */
const bytesBefore = 400
const bytesAfter = 1_000

const words = 'error|warning|fatal|failed|exception|traceback|panic'
const word = new RegExp(words, 'i')
const controls = /[\x00-\x08\x0b-\x1f\x7f]/g

export const isNotable = (text: string): boolean => word.test(text)

/** The first `limit` notable lines. A carriage return ends a line here: each state of a progress bar is one. */
export function findNotableLines(bytes: Uint8Array, limit: number): readonly NotableLine[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // latin1 keeps one character per byte, so string indexes are byte offsets.
  const searched = source.toString('latin1')
  const found: NotableLine[] = []
  const matches = new RegExp(words, 'gi')
  while (found.length < limit) {
    const at = matches.exec(searched)?.index
    if (at === undefined) break
    const window = lineAround(searched, at)
    const text = withoutEscapes(source.toString('utf8', window.begin, window.end))
      .replaceAll(controls, '')
      .trim()
    // The word may have stood in a title only.
    if (isNotable(text)) found.push({ text: cutCharacters(text), offset: window.begin })
    matches.lastIndex = endOfLine(searched, at)
  }
  return found
}

/** Its first characters, never half of one. */
export function cutCharacters(text: string): string {
  if (text.length <= notableCharactersMax) return text
  const isInside = /[\ud800-\udbff]/.test(text[notableCharactersMax - 1] ?? '')
  return text.slice(0, notableCharactersMax - (isInside ? 1 : 0))
}

function lineAround(searched: string, at: number): { readonly begin: number; readonly end: number } {
  const farthest = Math.max(0, at - bytesBefore)
  const before = searched.slice(farthest, at)
  const breakAt = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'))
  let begin = farthest + breakAt + 1
  // Not inside a character.
  while (begin < at && isContinuation(searched.charCodeAt(begin))) begin += 1
  let end = Math.min(endOfLine(searched, at), at + bytesAfter)
  while (end < searched.length && isContinuation(searched.charCodeAt(end))) end -= 1
  return { begin: breakAt < 0 && farthest > 0 ? nearWord(searched, begin, at) : begin, end }
}

/** In a line too long to show from its begin, the shown part begins shortly before the word. */
function nearWord(searched: string, begin: number, at: number): number {
  let near = Math.max(begin, at - notableCharactersMax / 2)
  while (near < at && isContinuation(searched.charCodeAt(near))) near += 1
  return near
}

const isContinuation = (value: number): boolean => (value & 0xc0) === 0x80

function endOfLine(searched: string, at: number): number {
  const rest = /[\r\n]/g
  rest.lastIndex = at
  return rest.exec(searched)?.index ?? searched.length
}
