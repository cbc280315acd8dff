/** Patterns of one word, in which `*` stands for any characters. What they are held against may be known in part only. */

import { matchesStars } from '../places/paths.ts'

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

/** The same where what begins at one of the `open` characters of the text is not known: as far as it is, it has to fit. */
export function mayFitWildcard(text: string, pattern: string, open: RegExp): boolean {
  const known = text.slice(0, Math.max(0, text.search(open)))
  const literal = pattern.slice(0, pattern.includes('*') ? pattern.indexOf('*') : pattern.length)
  return known.startsWith(literal) || literal.startsWith(known)
}
