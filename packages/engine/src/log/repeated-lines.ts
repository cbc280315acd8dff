/**
 * Runs of equal or similar lines, shown once with their count: a model would pay for each of them and learn nothing.
 * Equal lines lose nothing by that. Lines that differ only in their numbers do, so they are joined only when room is
 * short.
 */

import type { RenderedLine } from '../screen/style-codes.ts'

/** Shorter runs are shown as they are. */
const equalLinesMin = 4
const similarLinesMin = 16
/** The number of similar lines shown at the beginning of their run, and at its end. */
const similarHead = 5
const similarTail = 3

/** Replaces equal lines that follow each other by one line and their count. */
export function collapseEqual(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  return runsOf(lines, ({ text }) => text).flatMap((run) => {
    const [first, second] = run
    if (first === undefined || second === undefined || run.length < equalLinesMin) return run
    const text = `[... the same line ${grouped(run.length - 1)} more times ...]`
    return bytesOf(run.slice(1)) > Buffer.byteLength(text) + 1
      ? [first, { text, offset: second.offset, standsFor: run.length - 1 }]
      : run
  })
}

/** Replaces lines that differ only in their numbers by the first ones, the last ones and their count. */
export function collapseSimilar(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  return runsOf(lines, withoutNumbers).flatMap((run) => {
    if (run.length < similarLinesMin) return run
    const left = run.slice(similarHead, -similarTail)
    const from = left[0]?.offset ?? 0
    const to = run.at(-similarTail)?.offset ?? 0
    const text = `[... ${grouped(left.length)} lines that differ only in their numbers (offsets ${from}-${to}) ...]`
    return [...run.slice(0, similarHead), { text, offset: from, standsFor: left.length }, ...run.slice(-similarTail)]
  })
}

/** Leaves out the end of a run of similar lines that the lines end with. The caller reports a gap behind them. */
export function cutLastRun(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  const last = runsOf(lines, withoutNumbers).at(-1) ?? []
  return last.length < similarLinesMin ? lines : lines.slice(0, lines.length - last.length + similarHead)
}

/** Leaves out the beginning of a run of similar lines that the lines begin with. The caller reports a gap before them. */
export function cutFirstRun(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  const [first = []] = runsOf(lines, withoutNumbers)
  return first.length < similarLinesMin ? lines : lines.slice(first.length - similarTail)
}

const withoutNumbers = ({ text }: RenderedLine): string => text.replaceAll(/\d+/g, '0')

function runsOf(lines: readonly RenderedLine[], keyOf: (line: RenderedLine) => string): readonly RenderedLine[][] {
  const runs: RenderedLine[][] = []
  let last: string | null = null
  for (const line of lines) {
    const key = keyOf(line)
    if (key === last) runs.at(-1)?.push(line)
    else runs.push([line])
    last = key
  }
  return runs
}

const grouped = (count: number): string => count.toLocaleString('en')

const bytesOf = (lines: readonly RenderedLine[]): number =>
  lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0)
