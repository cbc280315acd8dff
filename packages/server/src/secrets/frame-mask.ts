/**
 * Masks secrets in frames. A row may change what a row above it shows, and a secret may go on in the next row: the window is masked as
 * a whole, and a frame has the rows that look different then. Masks are as wide as what they hide, so that all else stays where it is.
 */

import { withoutEscapes } from '@agentpty/protocol/escapes'
import { escapesIn, maskOf, type SecretSpan, type SecretValues } from '@agentpty/protocol/secrets'
import type { Frame } from '@agentpty/protocol/session'

const fill = '*'

export class FrameMask {
  readonly #secrets: SecretValues
  #rows: string[] = []
  #shown: readonly string[] = []

  constructor(secrets: SecretValues) {
    this.#secrets = secrets
  }

  push(frame: Frame): Frame {
    if (frame.isWhole) this.#rows = []
    const before = frame.isWhole ? [] : this.#shown
    for (const [row, text] of frame.rows) {
      while (this.#rows.length < row) this.#rows.push('')
      this.#rows[row] = text
    }
    const { above = [], size } = frame
    // What has passed stands right above the window.
    const all = this.#masked([...above, ...this.#rows], size.cols)
    this.#shown = all.slice(above.length)
    const rows = this.#shown.flatMap((text, row): readonly (readonly [number, string])[] =>
      text === (before[row] ?? '') ? [] : [[row, text]],
    )
    return {
      ...frame,
      ...(frame.above && { above: all.slice(0, above.length) }),
      rows,
      title: this.#secrets.masked(frame.title),
    }
  }

  #masked(rows: readonly string[], cols: number): readonly string[] {
    const ends = rows.map((text) => (withoutEscapes(text).length >= cols ? '' : '\n'))
    const spans = this.#secrets.find(rows.map((text, row) => text + ends[row]).join(''))
    let begin = 0
    return rows.map((text, row) => {
      const at = begin
      begin += text.length + (ends[row] ?? '').length
      return maskRow(text, at, spans)
    })
  }
}

/** `at`: where the row begins in the text of the spans. */
function maskRow(row: string, at: number, spans: readonly SecretSpan[]): string {
  let [masked, next] = ['', 0]
  for (const { from, to, what } of spans) {
    const [begin, end] = [Math.max(from - at, 0), Math.min(to - at, row.length)]
    if (begin >= end) continue
    const hidden = row.slice(begin, end)
    masked += row.slice(next, begin) + asWide(maskOf(what), withoutEscapes(hidden).length) + escapesIn(hidden)
    next = end
  }
  return next === 0 ? row : masked + row.slice(next)
}

const asWide = (mask: string, width: number): string =>
  mask.length > width ? fill.repeat(width) : mask.padEnd(width, fill)
