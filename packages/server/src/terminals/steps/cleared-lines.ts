/** Output that a program has cleared from its screen. The result does not have it, and states how much it was. */

import type { RenderedLine } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import type { Offset } from '@agentpty/protocol'

const home = String.raw`\x1b\[(?:1;1)?H`
const erase = String.raw`\x1b\[[23]J|\x1bc`
/** Erasing the screen or its scrollback, also from its first row on, and a reset; as one where several follow each other. */
const clears = new RegExp(`(?:${home})*(?:${erase}|(?<=H)\\x1b\\[0?J)(?:${home}|${erase}|\\x1b\\[[01]?J)*`, 'g')

export interface Slice {
  readonly since: Offset
  readonly until: Offset
}

/** Returns the lines of a slice; where its program cleared the screen, those since then, below a statement of what was there before. */
export async function stateCleared(
  session: Session,
  { since, until }: Slice,
  read: (slice: Slice) => Promise<readonly RenderedLine[]>,
): Promise<readonly RenderedLine[]> {
  const clearedAt = lastClear(session, since, until)
  const before = clearedAt === null ? [] : await read({ since, until: clearedAt })
  const count = before.filter(({ text }) => text.trim() !== '').length
  if (clearedAt === null || count === 0) return read({ since, until })
  const what = count === 1 ? '1 line before it is left out' : `${count} lines before it are left out`
  const text = `[... the screen was cleared here; ${what}: terminal_read {"since": ${since}, "raw": true}]`
  return [{ text, offset: clearedAt }, ...(await read({ since: clearedAt, until }))]
}

/** On the alternate screen programs draw, and nothing of theirs is output. */
function lastClear({ log, modes }: Session, since: Offset, until: Offset): Offset | null {
  const { bytes, from } = log.read({ since, until })
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // Most output has neither, and is read at every call.
  if (!buffer.includes(eraseEnd) && !buffer.includes(reset)) return null
  // latin1 keeps one character per byte, so string indexes are byte offsets.
  const found = [...buffer.toString('latin1').matchAll(clears)]
  const last = found.findLast(({ index }) => !modes.alternateScreenAt(from + index))
  return last === undefined ? null : from + last.index
}

const eraseEnd = 'J'.charCodeAt(0)
const reset = '\x1bc'
