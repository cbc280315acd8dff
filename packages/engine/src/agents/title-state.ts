/**
 * What a title says about work. Agents put a spinner, a sign or a word in front of it; a title without any of these says
 * nothing, unless the same program has put one there before.
 */

export type TitleState = 'idle' | 'working' | 'blocked'

/** Frames of the usual spinners: braille, quarter and half circles, clock hands; some of them with the selector for text. */
const spinner = /^[\u2800-\u28ff◐◑◒◓◴◵◶◷◰◱◲◳⣾⣽⣻⢿⡿⣟⣯⣷]\ufe0e?\s/u
const blocked =
  /\b(?:action required|approval (?:required|requested)|needs? (?:your )?(?:approval|attention|input)|waiting for (?:your )?(?:approval|input|answer))\b/i
const working = /^[^\p{L}\p{N}\s]\s*(?:working|thinking|running|busy)\b/iu
const ready = /^[^\p{L}\p{N}\s]\s*(?:ready|idle|waiting)\b/iu

/** Null for a title that says nothing by itself. */
export function titleState(title: string): TitleState | null {
  if (blocked.test(title)) return 'blocked'
  if (spinner.test(title) || working.test(title)) return 'working'
  return ready.test(title) ? 'idle' : null
}
