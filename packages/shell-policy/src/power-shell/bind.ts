/** Which words of a cmdlet belong to which of its parameters. */

import type { Arg } from '../walk/value.ts'
import type { Item } from './item.ts'

/** A word, and its parameter's name in small letters where it has one. */
export interface Given {
  readonly parameter: string | null
  readonly items: readonly Item[]
}

export interface Bound {
  readonly positional: readonly Given[]
  /** In their order, with what follows each of them. */
  readonly named: readonly Given[]
}

/** Parameters without a value. */
const switches =
  'recurse force verbose debug whatif confirm passthru nonewline raw wait append noclobber asjob hidden file directory followsymlink asbytestream unique descending casesensitive quiet simplematch notmatch allmatches list usebasicparsing skipcertificatecheck nologo noprofile noninteractive asstring line word character readonly system leaf parent isabsolute noqualifier qualifier asplaintext nonewwindow loaduserprofile autosize wrap hidetableheaders notypeinformation noheader compress ashashtable asarray includeequal excludedifferent syncwindow stable top bottom begin noelement fixedvolume online detailed examples full'.split(
    ' ',
  )

const isSwitch = (name: string) => name !== '' && switches.some((one) => one.startsWith(name))

export function bind(words: readonly Given[], valued: readonly string[] = []): Bound {
  const positional: Given[] = []
  const named: Given[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) continue
    if (word.parameter === null) {
      positional.push(word)
      continue
    }
    const { parameter, items } = word
    const takesValue = valued.some((one) => one.startsWith(parameter)) || !isSwitch(parameter)
    const next = words[at + 1]
    const follows = items.length === 0 && takesValue && next !== undefined && next.parameter === null
    named.push({ parameter, items: follows ? next.items : items })
    if (follows) at++
  }
  return { positional, named }
}

/** Those of the first of these parameters that is given; a name may be shortened. Else the positional ones. */
export function itemsFor(
  { positional, named }: Bound,
  names: readonly string[],
  position: number | null = null,
): readonly Item[] {
  const found = named.filter(({ parameter }) => names.some((name) => parameter !== null && name.startsWith(parameter)))
  if (found.length > 0) return found.flatMap(({ items }) => items)
  return position === null ? [] : (positional[position]?.items ?? [])
}

export function hasSwitch({ named }: Bound, name: string): boolean {
  return named.some(
    ({ parameter, items }) =>
      parameter !== null && parameter.length > 0 && name.startsWith(parameter) && !items.some(isFalse),
  )
}

const isFalse = ({ arg }: Item) => /^(\$?false|0)$/i.test(arg.text)

export const argsOf = (items: readonly Item[]): readonly Arg[] => items.map((one) => one.arg)
