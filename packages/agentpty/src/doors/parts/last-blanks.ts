/**
 * The blanks at the end of what a terminal shows. Results leave them out, because they say nothing to a model; clients of
 * other systems look for prompts by them: `$ `, `>>> `.
 */

import type { Client } from '../../contracts/client.ts'
import { withoutEscapes } from '../../contracts/escapes/escapes-in-text.ts'

/** A prompt's last line is looked for in so many bytes of output; a read gives no fewer. */
const tailBytes = 512

export interface Told {
  readonly output: string
  /** The offset behind it. */
  readonly cursor: number
}

/** The output with the blanks that were printed at its end, since `since`. Errors: `session_not_found`. */
export async function withLastBlanks(
  client: Client,
  terminalId: string,
  { output, cursor, since }: Told & { readonly since: number },
): Promise<string> {
  const from = Math.max(since, cursor - tailBytes)
  if (from >= cursor) return output
  const read = await client.call('read', { terminalId, since: from, raw: true, maxBytes: tailBytes })
  // More may have come behind the cursor meanwhile, and what is no longer kept says nothing.
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
  // What does not end as it was printed is a picture, or the echo of what was typed has been left out.
  return output.endsWith(text) && (text !== '' || output === '') ? `${output}${blanks}` : output
}
