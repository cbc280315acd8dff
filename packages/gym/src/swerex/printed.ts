/** What a command of a session printed, as it sent it: the screen would show tabs as blanks, and no blanks at the end of a line. */

import { outputBytesMax, type ServerClient } from '@agentpty/protocol'
import { printedByCommands } from '@agentpty/protocol/escapes'

const piecesMax = 5

/** Null where the marks of the shell do not say it, or it is longer than 5 MiB. Errors: `session_not_found`. */
export async function printedBetween(
  client: ServerClient,
  terminalId: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<string | null> {
  let text = ''
  let next = since
  for (let piece = 0; piece < piecesMax && next < until; piece++) {
    const read = await client.call('read', { terminalId, since: next, until, raw: true, maxBytes: outputBytesMax })
    if (read.missedBytes !== undefined) return null
    text += read.output
    if (read.cursor <= next) break
    next = read.cursor
  }
  return next < until ? null : printedByCommands(text)
}
