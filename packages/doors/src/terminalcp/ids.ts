/**
 * Maps the ids of terminalcp's sessions, which may be any text, to the names of terminals and back. An id that is a
 * valid terminal name is used unchanged. Any other is escaped byte by byte, so that every daemon can decode it.
 */

import { createHash } from 'node:crypto'
import { type Client, nameCharactersMax, scrollbackRows } from '@agentpty/protocol'
import { TerminalName } from '@agentpty/protocol/call'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import { newestOffset, readRaw } from '../parts/raw-output.ts'

const writtenPrefix = 'tcp.'
/** Names of ids that are too long to be escaped: they hold only a hash. */
const hashed = /^tcp\.-[0-9a-f]{40}$/

/** @example terminalOf('my server/1') // 'tcp.my_20server_2f1' */
export function terminalOf(id: string): string {
  if (TerminalName.safeParse(id).success && sessionIdOf(id) === id) return id
  const name = `${writtenPrefix}${written(id)}`
  if (name.length <= nameCharactersMax) return name
  return `${writtenPrefix}-${createHash('sha256').update(id).digest('hex').slice(0, 40)}`
}

/** The id in a name. Of an id that was too long it is the name itself, which finds the session too. */
export function sessionIdOf(name: string): string {
  if (!name.startsWith(writtenPrefix) || hashed.test(name)) return name
  const bytes = name
    .slice(writtenPrefix.length)
    .replaceAll(/_([0-9a-f]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const id = Buffer.from(bytes, 'latin1').toString('utf8')
  return name === `${writtenPrefix}${written(id)}` ? id : name
}

function written(id: string): string {
  return Buffer.from(id)
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9.-]/g, (one) => `_${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

// Rows that have left our scrollback, for clients that expect terminalcp's ten thousand lines of it.
//
// Only plain output scrolls that far. Its lines are read from the log and put above the screen's own rows, at the point
// where both have the same rows; without such a point no older rows are returned.

const promisedRows = 10_000
const tabColumns = 8
/** This many equal rows in succession show that both are the same part of the output, or that it makes no difference. */
const meetingRows = 24

/** Rows above those that are `shown`, oldest first. Errors: `session_not_found`. */
export async function olderRows(
  client: Client,
  terminalId: string,
  { shown, cols }: { readonly shown: readonly string[]; readonly cols: number },
): Promise<readonly string[]> {
  if (shown.length < scrollbackRows) return []
  const since = await newestOffset(client, terminalId)
  const { text } = await readRaw(client, terminalId, since)
  // The first line may be cut.
  const rows = plainRows(since === 0 ? text : text.slice(text.indexOf('\n') + 1), cols)
  const at = meetingPoint(rows, shown)
  return rows.slice(Math.max(0, at - (promisedRows - scrollbackRows)), at)
}

/** Plain output as the rows of a screen with `cols` columns. @example plainRows('10%\r99%\r\nabcdef', 4) // ['99%', 'abcd', 'ef'] */
export function plainRows(text: string, cols: number): readonly string[] {
  const lines = text.split('\n').slice(-(promisedRows + scrollbackRows))
  const rows = withoutEscapes(lines.join('\n'))
    .split('\n')
    .flatMap((line) => folded(withTabs(overwritten(line.replace(/\r+$/, ''))), cols))
  while (rows.at(-1) === '') rows.pop()
  return rows
}

function overwritten(line: string): string {
  return line.split('\r').reduce((under, over) => over + under.slice(over.length))
}

function withTabs(line: string): string {
  if (!line.includes('\t')) return line
  // A tab at the end moves the cursor and writes nothing.
  return line
    .replace(/\t+$/, '')
    .split('\t')
    .reduce((left, right) => left.padEnd(nextTab(left.length)) + right)
}

function nextTab(column: number): number {
  return (Math.floor(column / tabColumns) + 1) * tabColumns
}

function folded(line: string, cols: number): readonly string[] {
  const characters = [...line]
  if (characters.length <= cols) return [characters.join('')]
  const count = Math.ceil(characters.length / cols)
  return Array.from({ length: count }, (_, row) => characters.slice(row * cols, (row + 1) * cols).join(''))
}

/** Where the shown rows begin in `rows`; 0 when they are not found. More output may have come since they were shown. */
export function meetingPoint(rows: readonly string[], shown: readonly string[]): number {
  const first = shown.slice(0, meetingRows)
  for (let at = Math.max(0, rows.length - shown.length); at > 0; at--)
    if (first.every((row, below) => row.trimEnd() === rows[at + below]?.trimEnd())) return at
  return 0
}
