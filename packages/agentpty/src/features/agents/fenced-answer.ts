/** Answers of agents that were asked to put them between two texts. */

export interface Fences {
  readonly open: string
  readonly close: string
}

/**
 * The last answer between fences; null without a whole one. A line with both fences is an answer only when it ends with the
 * closing one: else it repeats the instruction to use them.
 *
 * @example fencedAnswer('[a]\n42\n[/a]', { open: '[a]', close: '[/a]' }) // '42'
 */
export function fencedAnswer(text: string, { open, close }: Fences): string | null {
  let last: string | null = null
  let begun: string[] | null = null
  for (const line of text.split('\n')) {
    const [from, to] = [line.indexOf(open), line.indexOf(close)]
    if (from >= 0 && to >= 0) {
      const content = line.slice(from + open.length, to).trim()
      if (from < to && line.trimEnd().endsWith(close) && content !== 'and') last = content
    } else if (from >= 0) begun = [line.slice(from + open.length)]
    else if (to >= 0 && begun !== null) {
      last = [...begun, line.slice(0, to)].join('\n').trim()
      begun = null
    } else begun?.push(line)
  }
  return last
}

/** An answer ends here that may have begun above. */
export function hasFenceEnd(text: string, { open, close }: Fences): boolean {
  return text.split('\n').some((line) => line.includes(close) && !line.includes(open))
}
