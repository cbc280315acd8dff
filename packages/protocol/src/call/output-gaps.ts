/** Sentences about output that is missing or is not UTF-8. */

import type { Observation } from './observation.ts'

export type OutputGaps = Pick<Observation, 'missedBytes' | 'invalidBytes'>

/**
 * @example outputGaps({ missedBytes: 12 }) // ['12 earlier bytes are no longer kept.']
 */
export function outputGaps({ missedBytes = 0, invalidBytes = 0 }: OutputGaps): readonly string[] {
  return [
    ...(missedBytes > 0 ? [`${bytes(missedBytes, 'earlier byte')} no longer kept.`] : []),
    ...(invalidBytes > 0 ? [`${bytes(invalidBytes, 'byte')} not UTF-8 and shown as U+FFFD.`] : []),
  ]
}

const bytes = (count: number, noun: string): string => (count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`)

/** The same as lines in brackets above the output; empty for whole output. */
export function gapLines(gaps: OutputGaps): string {
  return outputGaps(gaps)
    .map((sentence) => `[${sentence.slice(0, -1)}]\n`)
    .join('')
}
