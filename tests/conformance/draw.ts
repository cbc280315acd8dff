/** Rows in the notation of the table. */

interface Drawing {
  readonly text: readonly string[]
  readonly cursor: { readonly row: number; readonly col: number }
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The rows with `|` left of the cursor's cell, without the empty ones at the end. */
export function drawScreen({ text, cursor }: Drawing): readonly string[] {
  const rows = text.map((row, index) => (index === cursor.row ? withCursor(row, cursor.col) : row.trimEnd()))
  return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1)
}

/** A cursor inside a wide character is shown left of it; no case leaves it there. */
function withCursor(row: string, col: number): string {
  let left = ''
  let width = 0
  for (const { segment } of clusters.segment(row)) {
    const next = width + (wide.test(segment) ? 2 : 1)
    if (next > col) break
    left += segment
    width = next
  }
  const right = row.slice(left.length).trimEnd()
  return `${left}${' '.repeat(Math.max(0, right === '' ? col - width : 0))}|${right}`
}
