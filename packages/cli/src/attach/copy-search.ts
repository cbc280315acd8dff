/**
 * The search of copy mode over all kept output. The daemon finds the nearest line, and copy mode shows the rows around it. Further rows
 * are read when the person comes near to the end of them.
 */

import type { Client } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'

/** A text that the rows of copy mode do not have in this direction. */
export interface CopySearch {
  readonly query: string
  readonly ignoreCase: boolean
  /** -1: towards older output. */
  readonly step: -1 | 1
  /** The offset of the line at the cursor; null if the rows are those of the screen, which have no offsets. */
  readonly at: number | null
  /** The rows from the cursor to the last one with text. */
  readonly rowsBelow: number
}

/** Rows of the kept output, with the offset of the line of each. */
export interface OutputRows {
  readonly rows: readonly string[]
  readonly offsets: readonly number[]
  /** The offsets between which they are all of the output. */
  readonly from: number
  readonly next: number
  /** The bounds of the kept output. */
  readonly start: number
  readonly end: number
}

/** Pieces that are read at most to find the offset of a row of the screen. */
const piecesMax = 8
const maxBytes = 256

export class CopySearcher {
  readonly #client: Client
  readonly #terminalId: string

  constructor(client: Client, terminalId: string) {
    this.#client = client
    this.#terminalId = terminalId
  }

  /** The rows around the nearest matching line, or else the farthest one on the other side; null if there is none. */
  async find(search: CopySearch): Promise<{ readonly found: OutputRows; readonly offset: number } | null> {
    const at = search.at ?? (await this.#offsetFromEnd(search.rowsBelow))
    const backward = search.step < 0
    const offset =
      (await this.#nearest(search, backward ? { until: at } : { since: at + 1 })) ??
      (await this.#nearest(search, backward ? { since: at } : { until: at + 1 }))
    if (offset === null) return null
    const below = await this.#read({ since: offset })
    if (below === null) return null
    const above = below.from > below.start ? await this.#read({ until: below.from }) : null
    return { found: above === null ? below : joined(above, below), offset }
  }

  /** The rows before these, or after them, together with these; null if there are none. */
  async more(rows: OutputRows, step: -1 | 1): Promise<OutputRows | null> {
    if (step < 0 ? rows.from <= rows.start : rows.next >= rows.end) return null
    const piece = await this.#read(step < 0 ? { until: rows.from } : { since: rows.next })
    if (piece === null) return null
    return step < 0 ? joined(piece, rows) : joined(rows, piece)
  }

  async #nearest({ query, ignoreCase, step }: CopySearch, range: { since?: number; until?: number }) {
    const find = query.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    const input = { terminalId: this.#terminalId, find, ignoreCase, limit: 1, backward: step < 0, maxBytes, ...range }
    return (await this.#client.call('read', input)).hits?.[0] ?? null
  }

  async #offsetFromEnd(rowsBelow: number): Promise<number> {
    let rows = await this.#read({})
    for (let pieces = 1; rows !== null && rows.rows.length <= rowsBelow && pieces < piecesMax; pieces++) {
      const more = await this.more(rows, -1)
      if (more === null) break
      rows = more
    }
    return rows?.offsets.at(-1 - rowsBelow) ?? rows?.from ?? 0
  }

  async #read(range: { since?: number; until?: number }): Promise<OutputRows | null> {
    const { output, rows } = await this.#client.call('read', { terminalId: this.#terminalId, rows: true, ...range })
    if (rows === undefined) return null
    const texts = rows.offsets.length === 0 ? [] : output.split('\n').map((row) => withoutEscapes(row).trimEnd())
    return { ...rows, rows: texts }
  }
}

const joined = (above: OutputRows, below: OutputRows): OutputRows => ({
  rows: [...above.rows, ...below.rows],
  offsets: [...above.offsets, ...below.offsets],
  from: above.from,
  next: below.next,
  start: Math.max(above.start, below.start),
  end: Math.max(above.end, below.end),
})
