/** What a session shows as observations of SWE-ReX: an output without prompts and echo, and a name for what has ended it. */

import type { Observation } from '@agentpty/protocol/call'
import { type BashObservation, promptName } from './contract.ts'

export const isAtPrompt = ({ state, kind }: Observation): boolean => state === 'ready' && kind === 'shell'

export const interrupted = ({ output }: Observation): BashObservation =>
  observation({ output: withoutPrompt(output).trim(), exitCode: 0, found: promptName })

interface Seen {
  readonly output: string
  readonly exitCode: number | null
  readonly found: string
}

export function observation({ output, exitCode, found }: Seen): BashObservation {
  return { output, exit_code: exitCode, failure_reason: '', expect_string: found, session_type: 'bash' }
}

/** As a command has printed it that ends its lines. */
export const lineEnded = (output: string): string => (output === '' || output.endsWith('\n') ? output : `${output}\n`)

/** The last line is the shell's own. */
export const withoutPrompt = (output: string): string => output.slice(0, Math.max(0, output.lastIndexOf('\n')))

export const withoutEcho = (output: string, line: string): string => {
  const text = output.trimStart()
  return (text.startsWith(line) ? text.slice(line.length) : text).trim()
}

/** As Python shows a text, as far as clients look at it. */
export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
