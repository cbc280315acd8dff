/** A terminal's output as it came, in amounts that one answer can hold. */

import type { Client } from '../../contracts/client.ts'
import { outputBytesMax } from '../../contracts/limits.ts'

const piecesMax = 5
/** The last piece is for what comes meanwhile, and to see that there is no more. */
const newestBytesMax = (piecesMax - 1) * outputBytesMax

export interface ProgramEnd {
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
}

export interface RawOutput {
  /** With its escape sequences; no character is cut at its end. */
  readonly text: string
  /** Offset to read on from. */
  readonly next: number
  /** Null while there is more to come. */
  readonly end: ProgramEnd | null
}

/** As much as one answer holds; bytes that are no longer kept are named. Errors: `session_not_found`. */
export async function readRaw(client: Client, terminalId: string, since: number): Promise<RawOutput> {
  let text = ''
  let next = since
  for (let piece = 0; piece < piecesMax; piece++) {
    const told = await client.call('read', { terminalId, since: next, raw: true, maxBytes: outputBytesMax })
    if (told.missedBytes !== undefined) text += `[${told.missedBytes} bytes are no longer kept]\n`
    text += told.output
    next = told.cursor
    if (told.output === '') return { text, next, end: told.state === 'exited' ? told : null }
  }
  return { text, next, end: null }
}

/** Where the newest output begins that one answer can hold. */
export async function newestOffset(client: Client, terminalId: string): Promise<number> {
  return Math.max(0, (await endOffset(client, terminalId)) - newestBytesMax)
}

/** Where the output ends now. */
export async function endOffset(client: Client, terminalId: string): Promise<number> {
  // A read from beyond the end gives nothing, and says where the end is.
  return (await client.call('read', { terminalId, since: Number.MAX_SAFE_INTEGER })).cursor
}
