import { defined } from '../defined.ts'
import type { Observation } from './observation.ts'

/** Output, and how much of it is missing or shown as U+FFFD. */
export type CountedOutput = Pick<Observation, 'output' | 'missedBytes' | 'invalidBytes'>

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
