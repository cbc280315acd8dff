/** Options of a command line, the way getopt reads them. */

import type { Arg } from '../walk/value.ts'

export interface Options {
  /** Names without dashes; each letter of a cluster is separate. */
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, readonly Arg[]>
  readonly operands: readonly Arg[]
}

interface Reading {
  /** Options that take a value, blank-separated and without dashes: `u g user`. */
  readonly valued?: string
  /** All words from the first operand on belong to another program. */
  readonly stopsAtOperand?: boolean
  /** `-name` is one option, not a cluster. */
  readonly hasLongSingleDash?: boolean
}

export function readOptions(
  args: readonly Arg[],
  { valued = '', stopsAtOperand, hasLongSingleDash }: Reading = {},
): Options {
  const takesValue = new Set(valued.split(' '))
  const flags = new Set<string>()
  const values = new Map<string, Arg[]>()
  const operands: Arg[] = []
  const keep = (name: string, value: Arg | undefined) => {
    flags.add(name)
    if (value !== undefined) values.set(name, [...(values.get(name) ?? []), value])
  }
  for (let index = 0; index < args.length; index++) {
    const current = args[index]
    if (current === undefined) break
    const { text } = current
    if (text === '--') {
      operands.push(...args.slice(index + 1))
      break
    }
    if (text === '-' || !text.startsWith('-')) {
      if (stopsAtOperand) {
        operands.push(...args.slice(index))
        break
      }
      operands.push(current)
      continue
    }
    if (text.startsWith('--') || hasLongSingleDash) {
      const name = text.replace(/^--?/, '')
      const equals = name.indexOf('=')
      const full = fullName(equals < 0 ? name : name.slice(0, equals), takesValue)
      if (equals >= 0) keep(full, { ...current, text: name.slice(equals + 1) })
      else keep(full, takesValue.has(full) ? args[++index] : undefined)
      continue
    }
    for (let at = 1; at < text.length; at++) {
      const letter = text[at] ?? ''
      if (!takesValue.has(letter)) {
        keep(letter, undefined)
        continue
      }
      const rest = text.slice(at + 1)
      keep(letter, rest === '' ? args[++index] : { ...current, text: rest })
      break
    }
  }
  return { flags, values, operands }
}

/** GNU takes any beginning of a long option that fits only one. */
function fullName(given: string, known: ReadonlySet<string>): string {
  if (known.has(given) || given.length < 3) return given
  for (const name of known) if (name.startsWith(given)) return name
  return given
}

/** Whether one of these was given; a long one may be cut short. */
export function hasFlag({ flags }: Options, ...names: readonly string[]): boolean {
  return names.some((name) => {
    if (flags.has(name)) return true
    if (name.length < 4) return false
    for (const flag of flags) if (flag.length > 2 && name.startsWith(flag)) return true
    return false
  })
}

export function valuesOf({ values }: Options, ...names: readonly string[]): readonly Arg[] {
  return names.flatMap((name) => values.get(name) ?? [])
}
