/** Secrets by the shapes that are a word: found in a text, and how it may end inside one. */

import { mayHoldShapes, type SecretSpan, wordShapes } from '@agentpty/protocol/secrets'
import { partialOf } from './partial-pattern.ts'

const partials = wordShapes.map(({ pattern }) => partialOf(pattern))
/** The longest word of the table: a web token. */
const wordCharactersMax = 9_200
/** What a shape may have before its word. */
const leadCharactersMax = 128

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
