/** A terminal's raw output, in amounts that fit into one answer. */

import { type Client, outputBytesMax } from '@agentpty/protocol'
import { aside } from './aside.ts'

const piecesMax = 5
/** One piece is kept free for output that comes meanwhile, and for the read that finds no more. */
const newestBytesMax = (piecesMax - 1) * outputBytesMax

export interface ProgramEnd {
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
}

export interface RawOutput {
  /** With escape sequences; no character is cut at the end. */
  readonly text: string
  /** The offset to read from next time. */
  readonly next: number
  /** How many bytes of it were not UTF-8. */
  readonly invalidBytes: number
  /** Null while there is more to come. */
  readonly end: ProgramEnd | null
}

/** Reads as much as fits into one answer; says how many bytes are no longer kept. Errors: `session_not_found`. */
export async function readRaw(client: Client, terminalId: string, since: number): Promise<RawOutput> {
  let text = ''
  let next = since
  let invalidBytes = 0
  for (let piece = 0; piece < piecesMax; piece++) {
    const read = await client.call('read', { terminalId, since: next, raw: true, maxBytes: outputBytesMax })
    if (read.missedBytes !== undefined) text += `[${read.missedBytes} bytes are no longer kept]\n`
    text += read.output
    invalidBytes += read.invalidBytes ?? 0
    next = read.cursor
    if (read.output === '') return { text, next, invalidBytes, end: read.state === 'exited' ? read : null }
  }
  return { text, next, invalidBytes, end: null }
}

/** Where the newest output that fits into one answer begins. */
export async function newestOffset(client: Client, terminalId: string): Promise<number> {
  return Math.max(0, (await endOffset(client, terminalId)) - newestBytesMax)
}

/** Output that was read from this offset on: what is not in it is stated, and the rest of a cut character is left out. */
export function statedFrom(since: number, text: string): string {
  return since === 0 ? text : `[${since} earlier bytes are left out]\n${text.replace(/^\uFFFD{1,3}/, '')}`
}

/** Where the output ends now. */
export async function endOffset(client: Client, terminalId: string): Promise<number> {
  // A read from beyond the end returns no output, and the cursor says where the end is.
  return (await aside(client).call('read', { terminalId, since: Number.MAX_SAFE_INTEGER })).cursor
}
