/** Masks in the place of secrets that were found. */

import { sequence, stringBegin } from '../escapes/patterns.ts'
import { maskOf, type SecretSpan } from './secret-values.ts'

const sequences = new RegExp(sequence, 'g')
const beginOfString = new RegExp(`^${stringBegin}`)

/** In order, those that overlap as one. Which comes first names it; of two that begin together, the first that is given. */
export function apart(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const joined: SecretSpan[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last === undefined || span.from >= last.to) joined.push(span)
    else if (span.to > last.to) joined[joined.length - 1] = { ...last, to: span.to }
  }
  return joined
}

/** The spans are apart and in order. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let masked = ''
  let at = 0
  for (const { from, to, what } of spans) {
    masked += text.slice(at, from) + maskOf(what) + escapesIn(text.slice(from, to))
    at = to
  }
  return spans.length === 0 ? text : masked + text.slice(at)
}

/** What colours a secret colours what comes after it. Strings are text, and stay hidden. */
export function escapesIn(text: string): string {
  return (text.match(sequences) ?? []).filter((one) => !beginOfString.test(one)).join('')
}
