/** Patterns of one word, in which `*` stands for any characters. What they are held against may be known in part only. */

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
  let [at, from, star, resume] = [0, 0, -1, 0]
  while (at < text.length) {
    if (from < pattern.length && pattern[from] === '*') {
      star = from++
      resume = at
    } else if (from < pattern.length && pattern[from] === text[at]) {
      at++
      from++
    } else if (star >= 0) {
      from = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}

/** The same where what begins at one of the `open` characters of the text is not known: as far as it is, it has to fit. */
export function mayFitWildcard(text: string, pattern: string, open: RegExp): boolean {
  const known = text.slice(0, Math.max(0, text.search(open)))
  const literal = pattern.slice(0, pattern.includes('*') ? pattern.indexOf('*') : pattern.length)
  return known.startsWith(literal) || literal.startsWith(known)
}
