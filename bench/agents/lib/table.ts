/** Rows as text, aligned. */

import type { Row } from './judge.ts'

const evidenceCharacters = 110

export function phaseTable(title: string, rows: readonly Row[]): string {
  const head = ['', 'phase', 'want', 'got (mostly)', 'after ms', 'wrong', 'evidence']
  const cells = rows.map((row) => [
    row.ok ? ' ' : '✗',
    row.phase,
    row.want,
    row.got,
    row.afterMs === null ? 'never' : String(row.afterMs),
    `${row.wrong}/${row.samples}`,
    shorten(row.question === '' ? row.evidence : `${row.evidence} | asks: ${row.question}`),
  ])
  return [title, ...align([head, ...cells])].join('\n')
}

function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const shorten = (text: string) =>
  text.replaceAll(/\s+/g, ' ').length > evidenceCharacters ? `${text.slice(0, evidenceCharacters - 1)}…` : text
