/**
 * What a program that paints the screen has changed: rows with their numbers, instead of a text that has no order.
 *
 * On the alternate screen that is always so. On the normal one some programs (dialog, top) paint too; their slice is
 * played on a screen of its own, from some way before, and compared. If it scrolled, it was text after all.
 */

import { scrollbackRows } from '../../../contracts/limits.ts'
import type { Offset } from '../../../contracts/units.ts'
import { Screen } from '../../../engine/screen/screen.ts'
import type { ScreenSnapshot } from '../../../engine/screen/snapshot.ts'
import type { Session } from '../../../engine/session/session.ts'

/** What is played before the slice, so that there is a screen to compare with. */
const leadBytes = 64 * 1024
const paintedBytesMax = 256 * 1024

/** The cursor put to a place, not moved along. */
const absoluteMove = /\x1b\[[\d;]*[Hfd]/

/** For comparison afterwards; null unless a full-screen program runs. */
export async function screenBefore(session: Session): Promise<ScreenSnapshot | null> {
  return session.modes.alternateScreen ? (await session.screen()).snapshot() : null
}

/** Rows that differ from before; all that hold something when there is no comparable before. */
export function changedRows(before: ScreenSnapshot | null, after: ScreenSnapshot): string {
  const comparable =
    before?.alternateScreen === after.alternateScreen && before.cols === after.cols && before.rows === after.rows
  const rows = after.text.map((text, row) => ({
    text,
    row,
    changed: comparable ? before.text[row] !== text : text !== '',
  }))
  const changed = rows.filter((row) => row.changed)
  // A whole new picture: that the other rows are empty now goes without saying.
  const isNewPicture = changed.length > after.rows / 2
  const width = String(after.rows).length
  return changed
    .filter(({ text }) => !isNewPicture || text !== '')
    .map(({ text, row }) => `${String(row + 1).padStart(width)} ${text}`)
    .join('\n')
}

/** The changed rows of a slice on the normal screen; null when it is text that just goes on. */
export async function paintedRows(session: Session, since: Offset, until: Offset): Promise<string | null> {
  const { log } = session
  if (until - since > paintedBytesMax || since < log.start || session.modes.alternateScreenAt(since)) return null
  const { bytes } = log.read({ since, until })
  if (!absoluteMove.test(Buffer.from(bytes).toString('latin1'))) return null
  const start = Math.max(log.start, since - leadBytes)
  const screen = new Screen({ ...session.size, scrollbackRows, offset: start, version: '', onReply: () => undefined })
  screen.answerQueries = false
  try {
    await play(screen, log.read({ since: start, until: since }).bytes)
    const before = { picture: screen.snapshot(), scrolled: screen.scrollbackText(scrollbackRows).length }
    await play(screen, bytes)
    const hasScrolled = screen.scrollbackText(scrollbackRows).length !== before.scrolled
    return hasScrolled ? null : changedRows(before.picture, screen.snapshot())
  } finally {
    screen.dispose()
  }
}

function play(screen: Screen, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => screen.feed(bytes, resolve))
}
