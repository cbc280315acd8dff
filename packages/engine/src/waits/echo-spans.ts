/**
 * Where in the output the echo of typed text stands.
 *
 * Line editors wrap long lines and redraw, so blanks and line ends do not count in the comparison. An echo that has only
 * partly arrived is an echo all the same.
 */

export interface Span {
  readonly start: number
  readonly end: number
}

/** Spans of `text` that only repeat the lines of `typed`, in their order, each with the end of its line. */
export function echoSpans(text: string, typed: string): readonly Span[] {
  const lines = typed
    .split('\n')
    .map(withoutBlanks)
    .filter((line) => line !== '')
  if (lines.length === 0) return []
  const positions: number[] = []
  for (let at = 0; at < text.length; at++) if (!isBlank(text.charCodeAt(at))) positions.push(at)
  const compact = withoutBlanks(text)
  const spans: Span[] = []
  let from = 0
  for (const line of lines) {
    const at = compact.indexOf(line, from)
    const [begin, length] = at >= 0 ? [at, line.length] : [compact.length, 0]
    const partial = at >= 0 ? 0 : overlap(compact.slice(from), line)
    const first = positions[begin - partial]
    const last = positions[begin + length - 1]
    // Its echo came before this text.
    if (first === undefined || last === undefined) continue
    spans.push({ start: first, end: last + (text[last + 1] === '\n' ? 2 : 1) })
    from = begin + length
  }
  return spans
}

/** Length of the longest end of `text` that is a beginning of `line`. */
function overlap(text: string, line: string): number {
  for (let length = Math.min(text.length, line.length); length > 0; length--) {
    if (text.endsWith(line.slice(0, length))) return length
  }
  return 0
}

function withoutBlanks(line: string): string {
  return line.replaceAll(/\s/g, '')
}

/** The same blanks that {@link withoutBlanks} leaves out, the common ones first. */
function isBlank(code: number): boolean {
  if (code > space && code < firstOtherBlank) return false
  return /\s/.test(String.fromCharCode(code))
}

const space = 0x20
const firstOtherBlank = 0xa0
