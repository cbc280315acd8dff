/** Patterns of one word, in which `*` means any characters. The matched text may be known only in part. */

import { isPattern, matchesPart, matchesStars } from '../places/paths.ts'
import { overlap } from '../places/places.ts'
import type { Expression, Work } from './expression.ts'

/** `maybe`: it depends on what is not known yet. */
export type Fit = 'no' | 'maybe' | 'yes'

export function worse(one: Fit, other: Fit): Fit {
  if (one === 'no' || other === 'no') return 'no'
  return one === 'yes' ? other : one
}

export function better(one: Fit, other: Fit): Fit {
  if (one === 'yes' || other === 'yes') return 'yes'
  return one === 'no' ? other : one
}

/** Linear in the product of their lengths at worst, and mostly in their sum. */
export function fitsWildcard(text: string, pattern: string): boolean {
  return matchesStars(text, pattern, (character, signs, from) => (signs[from] === character ? 1 : -1))
}

/** Matches a text whose parts after an `open` character are unknown: only the known part has to match. */
export function mayFitWildcard(text: string, pattern: string, open: RegExp): boolean {
  const known = text.slice(0, Math.max(0, text.search(open)))
  const literal = pattern.slice(0, pattern.includes('*') ? pattern.indexOf('*') : pattern.length)
  return known.startsWith(literal) || literal.startsWith(known)
}

/**
 * Patterns of paths, as in .gitignore: `*` and `?` stay in one part, `**` is any number of parts, a folder includes everything below it. A
 * pattern that begins with `/` or `~/` is absolute. Another one with a slash is below the folder of its file, or anywhere in the user's own
 * rules. A pattern without a slash is a name in any folder.
 */
export type PathPattern =
  /** Absolute; `**` is any number of parts. `longest`: of the parts without a star. */
  | { readonly kind: 'parts'; readonly parts: readonly string[]; readonly longest: string }
  /** Matches the whole path. */
  | { readonly kind: 'expression'; readonly expression: Expression }

export interface PathPlace {
  readonly home: string
  /** The folder of relative patterns; null: anywhere. */
  readonly folder: string | null
}

const anywhere = '**'

export function parsePathPattern(
  text: string,
  { home, folder }: PathPlace,
): PathPattern | { readonly problem: string } {
  if (text.startsWith('!')) return { problem: 'a pattern that begins with !; write what is meant, not what is not' }
  if (text.includes('\0')) return { problem: 'a zero character' }
  const given = text.replace(/\/(\*\*\/?)?$/, '')
  const absolute = given === '~' || given.startsWith('~/') ? `${home}${given.slice(1)}` : given
  const isAbsolute = absolute.startsWith('/')
  const below = isAbsolute
    ? []
    : [...partsOf(folder ?? ''), ...(given.includes('/') && folder !== null ? [] : [anywhere])]
  const parts = [...below, ...partsOf(absolute)].filter(
    (part, at, all) => part !== anywhere || all[at - 1] !== anywhere,
  )
  if (parts.includes('..')) return { problem: 'a pattern with ..; write the path out' }
  const longest = parts
    .filter((part) => !isPattern(part))
    .reduce((one, other) => (other.length > one.length ? other : one), '')
  return { kind: 'parts', parts, longest }
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.')

/** Whether the pattern names the absolute path or a folder above it. The path may be a shell pattern. Null when it takes too much work. */
export function coversPath(pattern: PathPattern, path: string, work: Work): Fit | null {
  if (pattern.kind === 'parts') {
    // Most paths do not contain it, so this test is quick.
    if (!path.includes(pattern.longest) && !isPattern(path)) return 'no'
    return follow(pattern.parts, partsOf(path)).covered
  }
  const isMatch = pattern.expression.test(path, work)
  return isMatch === null ? null : isMatch ? 'yes' : 'no'
}

/** Returns whether something that the pattern names is below the path. Names that may be in any folder do not count. */
export function liesBelow(pattern: PathPattern, path: string): Fit {
  return pattern.kind === 'parts' ? follow(pattern.parts, partsOf(path)).begun : 'no'
}

/** Follows all alternatives together, by the number of pattern parts used. */
function follow(pattern: readonly string[], path: readonly string[]): { readonly covered: Fit; readonly begun: Fit } {
  let places = new Map<number, Fit>()
  const reach = (into: Map<number, Fit>, at: number, fit: Fit): void => {
    if (fit === 'no') return
    into.set(at, better(into.get(at) ?? 'no', fit))
    if (pattern[at] === anywhere) reach(into, at + 1, fit)
  }
  reach(places, 0, 'yes')
  let covered: Fit = places.get(pattern.length) ?? 'no'
  for (const part of path) {
    const next = new Map<number, Fit>()
    for (const [at, fit] of places) {
      const wanted = pattern[at]
      if (wanted === anywhere) reach(next, at, fit)
      else if (wanted !== undefined) reach(next, at + 1, worse(fit, fitOfPart(part, wanted)))
    }
    places = next
    covered = better(covered, places.get(pattern.length) ?? 'no')
    if (covered === 'yes') break
  }
  let begun: Fit = 'no'
  for (const [at, fit] of places) if (!pattern.slice(0, at + 1).includes(anywhere)) begun = better(begun, fit)
  return { covered, begun }
}

function fitOfPart(part: string, wanted: string): Fit {
  if (!isPattern(part)) return matchesPart(part, wanted) ? 'yes' : 'no'
  return part === wanted ? 'yes' : overlap(part, wanted) ? 'maybe' : 'no'
}
