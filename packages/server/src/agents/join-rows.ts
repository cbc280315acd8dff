/** Rows of a screen as the text that was drawn on them: without frames and the indent that all of them have. */

const frameLeft = /^(\s*)[│┃║▌▐╎┆](?:\s|$)/u
const frameRight = /\s*[│┃║▌▐╎┆]\s*$/u
const drawn = /^[\s\u2500-\u259f]*[\u2500-\u259f][\s\u2500-\u259f]*$/u

/** @example joinRows(['  │ one │', '  │  two │']) // 'one\n two' */
export function joinRows(rows: readonly string[]): string {
  const inside = rows.filter((row) => !drawn.test(row) || isEmptyRow(row)).map(withoutFrame)
  const filled = inside.filter((row) => row.trim() !== '')
  const indent = filled.reduce(
    (least, row) => Math.min(least, row.length - row.trimStart().length),
    filled[0]?.length ?? 0,
  )
  const lines = inside.map((row) => row.slice(indent).trimEnd())
  return lines.join('\n').trim()
}

/** A row of a box with nothing in it. */
const isEmptyRow = (row: string) => frameLeft.test(row) && !/[─━═╭╮╰╯┌┐└┘]/u.test(row)

function withoutFrame(row: string): string {
  const left = frameLeft.exec(row)
  const inner = left === null ? row : `${left[1]}  ${row.slice(left[0].length)}`
  return inner.replace(frameRight, '')
}
