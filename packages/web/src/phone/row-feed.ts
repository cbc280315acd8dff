/**
 * The rows of one terminal for who has no emulator: all of its screen, drawn by the daemon, of which this page gets what has changed. The
 * window is as large as the screen, so nobody else sees a difference.
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
  /** As far as it is known. */
  readonly size: Size
  readonly shown: (rows: ShownRows) => void
  readonly leased: (lease: Lease) => void
  readonly turned: (verdict: Verdict) => void
  /** Resolves when the next frame may be drawn. */
  readonly drawn: () => Promise<void>
}

/** Goes on until the terminal ends, the signal aborts or the connection is lost. Errors: those of `follow`. */
export async function followRows(client: WireClient, parts: RowFeedParts, signal: AbortSignal): Promise<void> {
  let size: Size | null = parts.size
  while (size !== null && !signal.aborted) size = await followWindow(client, { ...parts, size }, signal)
}

/** Resolves with the size of the screen once that is another one; null when it is over. */
async function followWindow(client: WireClient, parts: RowFeedParts, signal: AbortSignal): Promise<Size | null> {
  const { terminalId, size, shown, leased, turned, drawn } = parts
  let rows: readonly string[] = []
  const options = { frames: { ...size }, turn: true, lease: true, ahead: 1, signal }
  for await (const event of client.follow(terminalId, options)) {
    if (signal.aborted) return null
    if (event.type === 'lease') leased(event.lease)
    if (event.type === 'turn') turned(event.verdict)
    if (event.type !== 'frame') continue
    if (event.size.cols !== size.cols || event.size.rows !== size.rows) return event.size
    rows = rowsAfter(rows, event)
    const { cursor, modes, title, isAlternate = false } = event
    shown({ rows, cursor, modes, isAlternate, size, title })
    // With one event ahead the next one is of what is there when this one has been drawn.
    await drawn()
  }
  return null
}

/** What stands in the rows once the frame has come. */
export function rowsAfter(before: readonly string[], { isWhole, rows, size }: Frame): readonly string[] {
  const after = isWhole ? Array.from({ length: size.rows }, () => '') : [...before]
  for (const [row, text] of rows) after[row] = text
  return after
}

/** Without the empty rows at the end, of which nobody reads more than those up to the cursor. */
export function withoutEmptyEnd({ rows, cursor }: Pick<ShownRows, 'rows' | 'cursor'>): readonly string[] {
  const last = rows.findLastIndex((row) => row.trim() !== '')
  return rows.slice(0, Math.max(last, cursor?.row ?? 0) + 1)
}
