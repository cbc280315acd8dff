/** The line of a command: as the shell reported it; where it did not, it stands in the output. */

import type { OutputLog } from '../log/output-log.ts'
import type { RunningCommand } from '../marks/command-tracker.ts'
import { searchableText } from '../waits/searchable-text.ts'

/** Of a line with all that its editor has drawn. */
const lineBytesMax = 4_096

/** Empty where neither tells. */
export function lineOfCommand(
  { line, inputStart, outputStart }: Pick<RunningCommand, 'line' | 'inputStart' | 'outputStart'>,
  log: OutputLog,
): string {
  if (line !== null || inputStart === null) return line ?? ''
  const { bytes } = log.read({ since: inputStart, until: outputStart, maxBytes: lineBytesMax })
  return searchableText(bytes).trim()
}
