/** One search for a pattern in a text, and the script that does it, on the spot and in a thread. */

import { searchMatchesMax } from '@agentpty/protocol'

export interface PatternSearch {
  readonly pattern: string
  readonly text: string
  /** Only matches that end after this index count. */
  readonly after: number
  /** Each line is searched on its own, for the indexes of all lines that match. */
  readonly linewise: boolean
}

/** Indexes into the text; of a linewise search, the number of the line in both. */
export interface Match {
  readonly start: number
  readonly end: number
}

export interface PatternSandbox extends PatternSearch {
  readonly found: readonly Match[]
}

/** What a search in a thread has found; `found` is null when it has taken too long. */
export interface ThreadResult {
  readonly found: readonly Match[] | null
  /** Processor time, as far as the system reports it. */
  readonly ms: number
}

/** A pattern is data here and never code. A function, because what a context holds is slow to reach. */
export const matchScript = `
  found = ((pattern, text, after, linewise) => {
    const found = [];
    if (linewise) {
      const expression = new RegExp(pattern);
      const lines = text.split('\\n');
      for (let at = 0; at < lines.length; at++) if (expression.test(lines[at])) found.push({ start: at, end: at });
      return found;
    }
    for (const match of text.matchAll(new RegExp(pattern, 'gm'))) {
      const end = match.index + match[0].length;
      if (end > after) found.push({ start: match.index, end });
      if (found.length >= ${searchMatchesMax}) break;
    }
    return found;
  })(pattern, text, after, linewise);
`
