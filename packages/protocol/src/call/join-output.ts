import { defined } from '../collections.ts'
import type { CountedOutput, OutputGaps } from './observation.ts'

/** Puts a later part of the output behind an earlier one, and adds what is missing or not UTF-8 in both. */
export function joinOutput(earlier: CountedOutput, later: CountedOutput, separator = ''): CountedOutput {
  const isDivided = earlier.output !== '' && later.output !== ''
  return defined({
    output: `${earlier.output}${isDivided ? separator : ''}${later.output}`,
    missedBytes: sum(earlier.missedBytes, later.missedBytes),
    invalidBytes: sum(earlier.invalidBytes, later.invalidBytes),
  })
}

function sum(earlier = 0, later = 0): number | undefined {
  return earlier + later || undefined
}

/** @example outputGaps({ missedBytes: 12 }) // ['12 earlier bytes are no longer kept.'] */
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
