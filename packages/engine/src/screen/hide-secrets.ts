/**
 * Hides secrets in the rows of a terminal before it is drawn: cell by cell, so that everything else stays where it is. Rows that
 * are full are read as one text with the next, because a secret may continue there.
 */

import { maskOf, type SecretSpan, type SecretValues } from '@agentpty/protocol/secrets'
import type { DrawnCell, DrawnRow } from './draw-rows.ts'
import type { DrawTerminalOptions } from './draw-terminal.ts'

const fill = '*'

/** `hidesOpen`: what may still become a secret by what comes after the cursor is hidden, too. */
export function hideSecrets(
  secrets: SecretValues,
  hidesOpen: boolean,
): Required<Pick<DrawTerminalOptions, 'hide' | 'hideTitle'>> {
  return {
    hideTitle: (title) => secrets.masked(title),
    hide: (rows, cursor) => {
      const { text, begins } = textOf(rows)
      const spans = [...secrets.find(text)]
      const cursorAt =
        cursor === null ? null : (begins[cursor.row] ?? 0) + charactersBefore(rows[cursor.row], cursor.col)
      if (hidesOpen && cursorAt !== null) {
        const from = secrets.openFrom(text.slice(0, cursorAt))
        if (from < cursorAt) spans.push({ from, to: cursorAt, what: 'unfinished' })
      }
      return spans.length === 0 ? rows : rows.map((row, index) => hideIn(row, begins[index] ?? 0, spans))
    },
  }
}

const textOfCell = ({ text }: DrawnCell): string => text || ' '

/** Returns the text of the rows, and where each row begins in it. */
function textOf(rows: readonly DrawnRow[]): { readonly text: string; readonly begins: readonly number[] } {
  const begins: number[] = []
  const parts: string[] = []
  let length = 0
  for (const { cells } of rows) {
    begins.push(length)
    const isFull = (cells.at(-1)?.text ?? '') !== ''
    const part = cells.map(textOfCell).join('') + (isFull ? '' : '\n')
    parts.push(part)
    length += part.length
  }
  return { text: parts.join(''), begins }
}

function charactersBefore(row: DrawnRow | undefined, col: number): number {
  let at = 0
  let characters = 0
  for (const cell of row?.cells ?? []) {
    if (at >= col) break
    at += cell.width
    characters += textOfCell(cell).length
  }
  return characters
}

function hideIn(row: DrawnRow, begin: number, spans: readonly SecretSpan[]): DrawnRow {
  let at = begin
  const cells = row.cells.flatMap((cell) => {
    const from = at
    const to = at + textOfCell(cell).length
    at = to
    const span = spans.find((one) => one.from < to && one.to > from)
    if (span === undefined) return [cell]
    const mask = maskOf(span.what)
    // A mask that has no room here is stars alone.
    const fits = mask.length <= span.to - span.from
    const shown = (fits && mask[from - span.from]) || fill
    return Array.from({ length: cell.width }, () => ({ ...cell, width: 1, text: shown }))
  })
  return { ...row, cells }
}
