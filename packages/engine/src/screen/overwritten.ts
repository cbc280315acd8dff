/**
 * Output that leaves no trace because of what follows it: everything before a reset but the last title, and repetitions
 * of what need be done only once. Programs that do nothing else would cost a whole screen every few bytes.
 */

import { c1InLatin1, csiParameters, stringEnd } from '@agentpty/protocol/escapes'
import type { Skim } from './skim.ts'

/** Smaller pieces are played at once. */
const overwrittenBytesMin = 1_024

/**
 * A whole title: a reset keeps it, and of many only the last one stays. A longer one, or one with other bytes, is
 * drawn.
 */
const title = String.raw`\][02];[\x20-\x7e\x80-\xc1\xc3-\xff]{0,4096}${stringEnd}`

/** Sequences that a reset does not undo, and those that may want an answer. */
const lasting = new RegExp(
  String.raw`\x1b(?:(?!${title})\](?:\d|1\d);|[PX^_Z]|\[${csiParameters}[cnptqux])|\x05|${c1InLatin1}`,
)
const lastTitle = new RegExp(String.raw`\x1b${title}`, 'y')

/** Runs of one sequence, of which the last is enough; the alternate screen is emptied whatever was written on it. */
const runs: readonly RegExp[] = [
  /(?:\x1b#8)*(?=\x1b#8)/y,
  /(?:\x1b\[\?1049h[\x20-\x7e\r\n]*\x1b\[\?1049l)*(?=\x1b\[\?1049h[\x20-\x7e\r\n]*\x1b\[\?1049l)/y,
  /(?:\x1b\[2J)*(?=\x1b\[2J)/y,
  /(?:\x1b\[H\x1b\[2J)*(?=\x1b\[H\x1b\[2J)/y,
]

/** This much is searched first: what can be passed over is close together. */
const frontBytes = 256
const front = /\x1b(?:c|#8|\[\?1049h|\[2J|\[H\x1b|\][02];)/

/** How much of the front can be passed over; null when nothing can. No sequence may be open. */
export function overwritten(bytes: Uint8Array): Skim | null {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!front.test(source.toString('latin1', 0, frontBytes))) return null
  const text = source.toString('latin1')
  const reset = beforeReset(text)
  const end = Math.max(reset, ...runs.map((run) => lengthOf(run, text)))
  if (end < overwrittenBytesMin) return null
  return { bytes: end, residue: end === reset ? titleBefore(text, end) : '' }
}

/** Index of the last reset before which nothing lasts; -1 without one. */
function beforeReset(text: string): number {
  const lasts = text.search(lasting)
  return text.lastIndexOf('\x1bc', lasts < 0 ? text.length : lasts)
}

/** The last title before `end`, as it was written; empty without one. */
function titleBefore(text: string, end: number): string {
  const at = Math.max(text.lastIndexOf('\x1b]0;', end - 1), text.lastIndexOf('\x1b]2;', end - 1))
  if (at < 0) return ''
  lastTitle.lastIndex = at
  return lastTitle.exec(text)?.[0] ?? ''
}

function lengthOf(run: RegExp, text: string): number {
  run.lastIndex = 0
  return run.exec(text)?.[0].length ?? 0
}
