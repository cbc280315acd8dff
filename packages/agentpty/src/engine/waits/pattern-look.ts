/** One look for a pattern in a text, and the script that does it: the same on the spot and in a thread. */

import { searchMatchesMax } from '../../contracts/limits.ts'

export interface PatternLook {
  readonly pattern: string
  readonly text: string
  /** Only matches that end behind this index count. */
  readonly after: number
  /** Each line on its own: the indexes of lines that match are wanted, all of them. */
  readonly linewise: boolean
}

/** Indexes into the text; of a linewise look, the number of the line in both. */
export interface Match {
  readonly start: number
  readonly end: number
}

export interface PatternSandbox extends PatternLook {
  readonly found: readonly Match[]
}

/** A pattern is data here and never code. */
export const matchScript = `
  found = [];
  if (linewise) {
    const expression = new RegExp(pattern);
    for (const [at, line] of text.split('\\n').entries()) if (expression.test(line)) found.push({ start: at, end: at });
  } else {
    for (const match of text.matchAll(new RegExp(pattern, 'gm'))) {
      const end = match.index + match[0].length;
      if (end > after) found.push({ start: match.index, end });
      if (found.length >= ${searchMatchesMax}) break;
    }
  }
`
