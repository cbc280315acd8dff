/** What is known of a value of PowerShell: its text, and the programs in braces that it holds. */

import { type Arg, arg, isKnown, type Stream, type Taint, taints, unknownMark } from '../walk/value.ts'
import type { Script } from './syntax.ts'

export interface Item {
  readonly arg: Arg
  readonly code: readonly Script[]
  /** When it lists files: where they lie. */
  readonly listed: readonly Arg[] | null
}

export const item = (text: string, taint: Taint = taints.none): Item => ({
  arg: arg(text, taint),
  code: [],
  listed: null,
})
export const unknownItem = (taint: Taint = taints.none): Item => item(unknownMark, taint)

const linesMax = 8 // values that are looked at one by one

/** Each line of what a program puts out, as far as they are known and few; for a list of files each of them. */
export function itemsOf({ text, taint, listed }: Stream): readonly Item[] {
  if (listed !== null) return listed.map((one) => ({ arg: one, code: [], listed: null }))
  if (text === '') return []
  const lines = text.split('\n').filter((line) => line !== '')
  if (!isKnown({ text }) || lines.length > linesMax) return [unknownItem(taint)]
  return lines.map((line) => item(line, taint))
}

export function streamOf(items: readonly Item[]): Stream {
  const [only] = items
  if (items.length === 1 && only !== undefined)
    return { text: only.arg.text, taint: only.arg.taint, listed: only.listed }
  const taint = items.reduce((all, one) => all | one.arg.taint, 0)
  return { text: items.map((one) => one.arg.text).join('\n'), taint, listed: null }
}

export const taintOf = (items: readonly Item[]): Taint => items.reduce((all, one) => all | one.arg.taint, 0)
