/**
 * The blanks at the end of what a terminal shows. Results leave them out, because they mean nothing to a model; clients
 * of other systems recognize prompts by them: `$ `, `>>> `.
 */

import type { Client } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import { aside } from './aside.ts'

/** A prompt's last line is searched for in this many bytes of output. */
const tailBytes = 512

export interface OutputRead {
  readonly output: string
  /** The offset after the output. */
  readonly cursor: number
}

/** The output with the blanks that were printed at its end, since `since`. Errors: `session_not_found`. */
export async function withLastBlanks(
  client: Client,
  terminalId: string,
  { output, cursor, since }: OutputRead & { readonly since: number },
): Promise<string> {
  const from = Math.max(since, cursor - tailBytes)
  if (from >= cursor) return output
  const read = await aside(client).call('read', { terminalId, since: from, raw: true, maxBytes: tailBytes })
  // More may have come after the cursor meanwhile; and where bytes are missing the tail proves nothing.
  if (read.missedBytes !== undefined) return output
  const tail = Buffer.from(read.output)
    .subarray(0, cursor - from)
    .toString()
  return withBlanksOf(output, withoutEscapes(tail))
}

/**
 * @example withBlanksOf('42\n>>>', '42\r\n>>> ') // '42\n>>> '
 */
export function withBlanksOf(output: string, printed: string): string {
  const [line = ''] = /[^\r\n]*$/.exec(printed) ?? []
  const text = line.trimEnd()
  const blanks = line.slice(text.length)
  // Output that does not end as it was printed is a picture of the screen, or had the echo of the input left out.
  return output.endsWith(text) && (text !== '' || output === '') ? `${output}${blanks}` : output
}
