/** Results of terminalcp's `stdout`, `stream` and `term-size` for a session. */

import { constants } from 'node:os'
import { type Client, scrollbackRows } from '@agentpty/protocol'
import { unfinishedEscape } from '@agentpty/protocol/escapes'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { newestOffset, type ProgramEnd, readRaw, statedFrom } from '../parts/raw-output.ts'
import { olderRows } from './ids.ts'

export interface ScreenSize {
  readonly rows: number
  readonly cols: number
  /** Rows of the screen and of the scrollback above it. */
  readonly bufferLines: number
}

/** The scrollback and the screen without the blank lines below it, the last `lines` of them; 0: all. */
export async function screenText(client: Client, terminalId: string, lines: number): Promise<string> {
  const { seen, rows, above } = await readScreen(client, terminalId, lines > 0 ? lines : undefined)
  if (seen.state === 'exited') {
    const at = above + seen.cursorRow + 1
    while (rows.length <= at) rows.push('')
    rows[at] = exitNotice(seen)
  }
  return (lines > 0 ? rows.slice(-lines) : rows).join('\n')
}

export async function screenSize(client: Client, terminalId: string): Promise<ScreenSize> {
  const { seen, above } = await readScreen(client, terminalId)
  return { rows: seen.rows, cols: seen.cols, bufferLines: above + seen.rows }
}

interface ScreenRead {
  readonly seen: VerbOutput<'screenshot'>
  /** The rows of the scrollback and the screen, down to the last with text. */
  readonly rows: string[]
  /** How many of them are above the screen. */
  readonly above: number
}

/** Rows that have left the scrollback are searched for in the log only when that many are wanted. */
async function readScreen(client: Client, terminalId: string, wanted = Number.POSITIVE_INFINITY): Promise<ScreenRead> {
  const seen = await client.call('screenshot', { terminalId, lines: scrollbackRows }, { keepsBlanks: true })
  const shown = seen.screen === '' ? [] : seen.screen.split('\n')
  const isEnough = seen.alternateScreen === true || shown.length >= wanted
  const older = isEnough ? [] : await olderRows(client, terminalId, { shown, cols: seen.cols })
  const above = older.length + (await scrollbackOf(client, terminalId, shown))
  return { seen, rows: [...older, ...shown], above }
}

/** How many of the shown rows are above the screen. */
async function scrollbackOf(client: Client, terminalId: string, shown: readonly string[]): Promise<number> {
  const { screen } = await client.call('screenshot', { terminalId, format: 'plain' })
  return Math.max(0, shown.length - (screen === '' ? 0 : screen.split('\n').length))
}

/** Where the next `since_last` of a session begins. */
export interface StreamMark {
  readonly offset: number
  readonly isEndReported: boolean
}

export const streamBegin: StreamMark = { offset: 0, isEndReported: false }

export interface Streamed {
  /** With its escape sequences. */
  readonly text: string
  /** How many bytes of it were not UTF-8. */
  readonly invalidBytes: number
  readonly mark: StreamMark
}

/** All output that is kept, or as much of its end as fits into one answer. */
export async function wholeStream(client: Client, terminalId: string): Promise<Streamed> {
  const since = await newestOffset(client, terminalId)
  const streamed = await streamFrom(client, terminalId, { offset: since, isEndReported: false })
  return { ...streamed, text: statedFrom(since, streamed.text) }
}

/** Output since the mark. A character or an escape sequence that is not complete yet is left for the next time. */
export async function streamFrom(client: Client, terminalId: string, mark: StreamMark): Promise<Streamed> {
  const { text: output, next, invalidBytes, end } = await readRaw(client, terminalId, mark.offset)
  if (end !== null) return { ...ended(output, next, { mark, end }), invalidBytes }
  const rest = unfinishedEscape(output)
  return {
    text: output.slice(0, output.length - rest.length),
    invalidBytes,
    mark: { offset: next - Buffer.byteLength(rest), isEndReported: false },
  }
}

interface Ended {
  readonly mark: StreamMark
  readonly end: ProgramEnd
}

function ended(text: string, offset: number, { mark, end }: Ended): Omit<Streamed, 'invalidBytes'> {
  const notice = mark.isEndReported && text === '' ? '' : `\n${exitNotice(end)}\n`
  return { text: `${text}${notice}`, mark: { offset, isEndReported: true } }
}

function exitNotice({ exitCode, signal }: ProgramEnd): string {
  const number = signal === undefined ? undefined : constants.signals[signal as NodeJS.Signals]
  return `[Process exited with code ${exitCode ?? 0}${number === undefined ? '' : ` (signal: ${number})`}]`
}
