/** The text that each match of a regular expression contains, so that output without it need not be searched. */

const loneSurrogate = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/
const asciiRuns = /[^\x00-\x7f]+/
const quantifier = /^\{\d+(?:,\d*)?\}/
const classEscapes = 'dDwWsSbB'

/**
 * The longest one, or an empty text if none is known. Whatever this reader does not understand ends the reading with an empty text: a
 * search without it is slow and still right.
 *
 * @example requiredText('^error: \\d+ of', false) // 'error: '
 */
export function requiredText(pattern: string, ignoreCase: boolean): string {
  const runs = runsOf(pattern)
  // Output that is not UTF-8 is searched as U+FFFD, which its bytes do not contain.
  const known = (runs ?? []).flatMap((run) => run.split(loneSurrogate)).flatMap((run) => run.split('\ufffd'))
  // Other letters have more than two forms.
  const texts = ignoreCase ? known.flatMap((run) => run.split(asciiRuns)) : known
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

/** Texts that follow each other in each match, with anything in between. Null for alternatives and for unknown grammar. */
function runsOf(pattern: string): readonly string[] | null {
  const runs: string[] = []
  let run = ''
  const endRun = () => {
    runs.push(run)
    run = ''
  }
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] ?? ''
    const skipped = skip(pattern, at)
    if (skipped === null) return null
    if (skipped.text !== null) run += skipped.text
    else if (char === '?' || char === '*' || char === '{') {
      // The character before it may be missing.
      run = run.slice(0, -1)
      endRun()
    } else endRun()
    at = skipped.next
  }
  endRun()
  return runs
}

interface Skipped {
  readonly next: number
  /** One character that must be there; null for all else. */
  readonly text: string | null
}

/** Reads one item of a pattern. Null for an item that may stand for anything. */
function skip(pattern: string, at: number): Skipped | null {
  const char = pattern[at] ?? ''
  if (char === '\\') return skipEscape(pattern, at)
  if (char === '(' || char === '[') {
    const next = char === '(' ? groupEnd(pattern, at) : classEnd(pattern, at)
    return next === null ? null : { next, text: null }
  }
  if (char === '{') {
    const [found] = quantifier.exec(pattern.slice(at)) ?? []
    return found === undefined ? null : { next: at + found.length, text: null }
  }
  if ('|)]}'.includes(char)) return null
  return { next: at + 1, text: '.^$?*+'.includes(char) ? null : char }
}

function skipEscape(pattern: string, at: number): Skipped | null {
  const char = pattern[at + 1] ?? ''
  if (char !== '' && classEscapes.includes(char)) return { next: at + 2, text: null }
  return char === '' || /[A-Za-z0-9]/.test(char) ? null : { next: at + 2, text: char }
}

function classEnd(pattern: string, at: number): number | null {
  for (let index = at + 1; index < pattern.length; index++) {
    if (pattern[index] === '\\') index += 1
    else if (pattern[index] === ']') return index + 1
  }
  return null
}

function groupEnd(pattern: string, at: number): number | null {
  let depth = 0
  for (let index = at; index < pattern.length; index++) {
    const char = pattern[index]
    if (char === '\\') index += 1
    else if (char === '[') {
      const end = classEnd(pattern, index)
      if (end === null) return null
      index = end - 1
    } else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth === 0) return index + 1
  }
  return null
}
