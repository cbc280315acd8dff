/** Searching a session's kept output line by line, as grep would, within a budget. */

import { renderBytesMax } from '../../../contracts/limits.ts'
import type { Offset } from '../../../contracts/units.ts'
import type { Session } from '../../../engine/session/session.ts'
import { matchingLines } from '../../../engine/waits/bounded-pattern.ts'
import { searchableText } from '../../../engine/waits/strip-escapes.ts'
import { renderSlice } from './observe.ts'

export interface FindOptions {
  readonly since: Offset
  readonly until: Offset
  readonly pattern: string
  readonly contextLines: number
  readonly maxBytes: number
}

export interface FoundLines {
  readonly output: string
  readonly matches: number
  readonly missedBytes: number
}

interface Line {
  readonly text: string
  readonly offset: Offset
}

const lineFeed = 0x0a

/** Each line is given as `offset: text`; a gap between groups as `--`. */
export async function findLines(session: Session, options: FindOptions): Promise<FoundLines> {
  const { since, until, pattern, contextLines, maxBytes } = options
  const from = Math.max(since, session.log.start)
  const lines = await linesOf(session, from, until)
  const hits = matchingLines(
    pattern,
    lines.map(({ text }) => text),
  )
  const output: string[] = []
  let room = maxBytes
  let shownTo = -1
  for (const hit of hits) {
    const begin = Math.max(shownTo + 1, hit - contextLines)
    const end = Math.min(lines.length - 1, hit + contextLines)
    const group = lines.slice(begin, end + 1).map(({ text, offset }) => `${offset}: ${text.slice(0, 500)}`)
    if (shownTo >= 0 && begin > shownTo + 1 && contextLines > 0) group.unshift('--')
    room -= Buffer.byteLength(group.join('\n')) + 1
    if (room < 0) break
    output.push(...group)
    shownTo = Math.max(shownTo, end)
  }
  return { output: output.join('\n'), matches: hits.length, missedBytes: Math.max(0, from - since) }
}

/** Short slices as a person saw them; long ones only freed of escapes, which is enough for searching. */
async function linesOf(session: Session, from: Offset, until: Offset): Promise<readonly Line[]> {
  if (until - from <= renderBytesMax) return renderSlice(session, from, until)
  const { bytes } = session.log.read({ since: from, until })
  // One pass over all of it: the text keeps every line feed, so line by line it stands where the bytes do.
  const texts = searchableText(bytes).split('\n')
  let begin = 0
  return texts.map((text) => {
    const line = { text, offset: from + begin }
    const end = bytes.indexOf(lineFeed, begin)
    begin = end < 0 ? bytes.length : end + 1
    return line
  })
}
