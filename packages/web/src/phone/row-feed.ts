/**
 * The rows of one terminal, for a page without an emulator. The daemon draws the whole screen and sends only the changed rows. The window
 * has the size of the screen, so it does not affect other viewers.
 */

import type { Size } from '@agentpty/protocol'
import type { Frame, Lease, Verdict } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'

export interface ShownRows {
  readonly rows: readonly string[]
  readonly cursor: Frame['cursor']
  readonly modes: readonly number[]
  /** The program draws on the alternate screen. */
  readonly isAlternate: boolean
  readonly size: Size
  readonly title: string
}

export interface RowFeedParts {
  readonly terminalId: string
  /** The size, as far as it is known yet. */
  readonly size: Size
  readonly shown: (rows: ShownRows) => void
  readonly leased: (lease: Lease) => void
  readonly turned: (verdict: Verdict) => void
  /** Resolves when the next frame may be drawn. */
  readonly drawn: () => Promise<void>
}

/** Runs until the terminal ends, the signal aborts or the connection closes. Errors: those of `follow`. */
export async function followRows(client: WireClient, parts: RowFeedParts, signal: AbortSignal): Promise<void> {
  let size: Size | null = parts.size
  while (size !== null && !signal.aborted) size = await followWindow(client, { ...parts, size }, signal)
}

/** Resolves with the new size once the screen is resized; null when the terminal has ended. */
async function followWindow(client: WireClient, parts: RowFeedParts, signal: AbortSignal): Promise<Size | null> {
  const { terminalId, size, shown, leased, turned, drawn } = parts
  let rows: readonly string[] = []
  const options = { frames: { ...size, links: true }, turn: true, lease: true, ahead: 1, signal }
  for await (const event of client.follow(terminalId, options)) {
    if (signal.aborted) return null
    if (event.type === 'lease') leased(event.lease)
    if (event.type === 'turn') turned(event.verdict)
    if (event.type !== 'frame') continue
    if (event.size.cols !== size.cols || event.size.rows !== size.rows) return event.size
    rows = rowsAfter(rows, event)
    const { cursor, modes, title, isAlternate = false } = event
    shown({ rows, cursor, modes, isAlternate, size, title })
    // With one event in flight, the next event describes the screen at the time this one is drawn.
    await drawn()
  }
  return null
}

/** Returns the rows after the frame is applied. */
export function rowsAfter(before: readonly string[], { isWhole, rows, size }: Frame): readonly string[] {
  const after = isWhole ? Array.from({ length: size.rows }, () => '') : [...before]
  for (const [row, text] of rows) after[row] = text
  return after
}

/** Drops the empty rows at the end, except those up to the cursor. */
export function withoutEmptyEnd({ rows, cursor }: Pick<ShownRows, 'rows' | 'cursor'>): readonly string[] {
  const last = rows.findLastIndex((row) => row.trim() !== '')
  return rows.slice(0, Math.max(last, cursor?.row ?? 0) + 1)
}
