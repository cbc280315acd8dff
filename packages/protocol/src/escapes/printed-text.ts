/** Output of programs as text: tabs, blanks and line ends as they were sent. */

import { withoutEscapes } from './escapes-in-text.ts'

/** A shell's marks around the output of a command: OSC 133 C and D. */
const outputBegins = /\x1b\]133;C(?:;[^\x07\x1b]*)?(?:\x07|\x1b\\)/
const outputEnds = '\x1b]133;D'

/**
 * Raw output of a terminal without escape sequences. The terminal's driver sends `\r\n` for each line end of a program.
 *
 * @example printedText('\x1b[31ma\tb \x1b[0m\r\n') // 'a\tb \n'
 */
export const printedText = (raw: string): string => withoutEscapes(raw).replaceAll('\r\n', '\n')

export interface SplitOutput {
  /** The echo of the command, and what came before it. */
  readonly before: string
  /** From where the first command began to print; null where none began. */
  readonly output: string | null
}

export function splitAtOutput(raw: string): SplitOutput {
  const begin = outputBegins.exec(raw)
  if (begin === null) return { before: raw, output: null }
  return { before: raw.slice(0, begin.index), output: raw.slice(begin.index + begin[0].length) }
}

/** Returns the output of the commands in raw output, without echo and prompt; null where none began and ended. */
export function printedByCommands(raw: string): string | null {
  const { output } = splitAtOutput(raw)
  const end = output?.lastIndexOf(outputEnds) ?? -1
  return output === null || end < 0 ? null : printedText(output.slice(0, end))
}
