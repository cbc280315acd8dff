/** Finds the addresses and the files with a line that a text names. */

import { type LinkTarget, targetOf } from './link-target.ts'

export interface FoundLink {
  /** The index of its first character in the text. */
  readonly start: number
  readonly length: number
  readonly target: LinkTarget
}

/** The longest address that terminals accept. */
const addressCharactersMax = 2_083
/** A text with more links is no text to click on. */
const linksMax = 50

const address = /\bhttps?:\/\/[^\s"'<>`{}|\\^\p{C}]+/giu
/** `src/a.ts:3:5`, `./run:7`, `/etc/hosts:1`: with a line, and a slash or an ending that begins with a letter. */
const path =
  /(?<![\p{L}\p{N}_@.+/~:-])(?:~?\/|\.{1,2}\/)?(?:[\p{L}\p{N}_@.+-]{1,255}\/){0,64}[\p{L}\p{N}_@.+-]{1,255}:\d{1,9}(?::\d{1,9})?(?![\p{L}\p{N}_/])/gu
const isPath = /\/|\.\p{L}[\p{L}\p{N}]*:/u

export function linksIn(text: string): readonly FoundLink[] {
  const addresses = [...text.matchAll(address)].flatMap(({ 0: found, index }) => {
    const whole = withoutSentence(found)
    const target = targetOf(whole)
    const isLink = target.kind === 'web' && whole.length <= addressCharactersMax
    return isLink ? [{ start: index, length: whole.length, target }] : []
  })
  const rest = text.replaceAll(address, (found) => ' '.repeat(found.length))
  const paths = [...rest.matchAll(path)].flatMap(({ 0: found, index }): FoundLink[] =>
    isPath.test(found) ? [{ start: index, length: found.length, target: { kind: 'path', path: found } }] : [],
  )
  return [...addresses, ...paths].toSorted((one, other) => one.start - other.start).slice(0, linksMax)
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/** Drops what belongs to the sentence around an address: full stops, and brackets that are not opened in it. */
function withoutSentence(found: string): string {
  let end = found.length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? ''
    const opening = pairs[last]
    const isOpened = opening !== undefined && countOf(found, opening, end) >= countOf(found, last, end)
    if (!/[.,;:!?*_~\])]/.test(last) || isOpened) break
  }
  return found.slice(0, end)
}

function countOf(text: string, character: string, end: number): number {
  let count = 0
  for (let at = 0; at < end; at += 1) if (text[at] === character) count += 1
  return count
}
