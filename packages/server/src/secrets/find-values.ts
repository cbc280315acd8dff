/**
 * Secrets by their values: found in a text, also where it breaks them into lines, and how it may end inside one. Values are
 * given without line ends.
 */

import { type SecretSpan, secretCharactersMax } from '@agentpty/protocol/secrets'
import { ReducedText } from './reduced-text.ts'

const what = 'secret'
const flat = (text: string): ReducedText => new ReducedText(text, /[\r\n]/g)

/** Each place where a value stands, also within another; those of one value that overlap are one. */
export function findValues(text: string, values: readonly string[]): readonly SecretSpan[] {
  if (values.length === 0) return []
  const searched = flat(text)
  return values
    .flatMap((value) => placesOf(searched.text, value))
    .map(([from, to]) => ({ from: searched.at(from), to: searched.at(to - 1) + 1, what }))
}

function placesOf(text: string, value: string): readonly (readonly [from: number, to: number])[] {
  const places: [number, number][] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const last = places.at(-1)
    if (last !== undefined && at < last[1]) last[1] = at + value.length
    else places.push([at, at + value.length])
  }
  return places
}

/** Where the text ends with the beginning of a value; the text's length where it does with none. */
export function openValueFrom(text: string, values: readonly string[]): number {
  if (values.length === 0) return text.length
  // Each of its characters may stand on a line of its own.
  const from = Math.max(0, text.length - 3 * secretCharactersMax)
  const tail = flat(text.slice(from))
  const earliest = values.reduce((known, value) => Math.min(known, beginningOf(value, tail.text)), tail.text.length)
  return earliest === tail.text.length ? text.length : from + tail.at(earliest)
}

function beginningOf(value: string, text: string): number {
  const [first = ''] = value
  const farthest = Math.max(0, text.length - value.length + 1)
  for (let at = text.indexOf(first, farthest); at >= 0; at = text.indexOf(first, at + 1))
    if (value.startsWith(text.slice(at))) return at
  return text.length
}
