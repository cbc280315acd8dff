import { shownText } from '@agentpty/protocol/approvals'
import { stateWords } from '@agentpty/protocol/session'
import { endOf, type TimelineItem, whatOf, whoOf } from '@agentpty/protocol/timeline'
import type { ListedTerminal } from '@agentpty/protocol/verbs'
import { type TerminalStates, type Turn, terminalState } from './terminal-states.ts'

// Rows of cells as columns for people.

/** Between two columns. */
const gap = '  '

/** Columns are as wide as their widest cell, two blanks apart. An empty column takes no space, and rows have no trailing blanks. */
export function table(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row.flatMap((cell, column) => (widths[column] === 0 ? [] : [cell.padEnd(widths[column] ?? 0)])).join(gap)
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

/** In one line, and cut where it is too long. */
export function cell(text: string, widthMax: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return line.length > widthMax ? `${line.slice(0, widthMax - 1)}…` : line
}

const columns = ['ID', 'NAME', 'STATE', 'PID', 'COMMAND', 'CWD'] as const
const commandWidthMax = 48

/** The columns that are cut in a narrow terminal, each with the part that is left out: the end of a folder says the most. */
const cutInNarrow: Readonly<Record<number, 'start' | 'end'>> = { 1: 'end', 2: 'end', 4: 'end', 5: 'start' }
/** Enough to recognize a name, a state or a folder. */
const cutCellWidthMin = 12

type ListedRow = Pick<ListedTerminal, 'terminalId' | 'name' | 'pid' | 'command' | 'cwd' | 'clientEnded'> & Turn

/** The list of terminals as a table for people. `cols`: the width that no row exceeds, as far as that leaves words to recognize. */
export function formatSessions(
  terminals: readonly ListedRow[],
  states: TerminalStates,
  cols = Number.POSITIVE_INFINITY,
): string {
  if (terminals.length === 0) return 'No terminals.\n'
  const cellsOf = (terminal: ListedRow): readonly string[] => {
    const { terminalId, name, pid, command, cwd, clientEnded } = terminal
    const words = stateWords(states.get(terminalId) ?? terminalState(terminal))
    const state = [words, clientEnded ?? []].flat().join(', ')
    return [terminalId, name ?? '-', state, String(pid), cell(command, commandWidthMax), cwd]
  }
  return table(fitted([columns, ...terminals.map(cellsOf)], cols))
}

/** Cuts the widest columns first, until the rows have the width. */
function fitted(rows: readonly (readonly string[])[], cols: number): readonly (readonly string[])[] {
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  const sum = () => widths.reduce((all, width) => all + width, gap.length * (columns.length - 1))
  while (sum() > cols) {
    const cuttable = Object.keys(cutInNarrow).map(Number)
    const widest = cuttable.reduce((one, other) => ((widths[other] ?? 0) > (widths[one] ?? 0) ? other : one))
    if ((widths[widest] ?? 0) <= cutCellWidthMin) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return rows.map((row) => row.map((text, at) => cut(text, widths[at] ?? 0, cutInNarrow[at] ?? 'end')))
}

function cut(text: string, width: number, leftOut: 'start' | 'end'): string {
  if (text.length <= width) return text
  return leftOut === 'end' ? `${text.slice(0, width - 1)}…` : `…${text.slice(1 - width)}`
}

// Items of a timeline for people: a line each, in which nothing that a program has printed can mislead.

const widthMax = 79
const whoWidth = 14

/** Builds the rows of a timeline. Each day has a line of its own. */
export function timelineRows(items: readonly TimelineItem[], isoTime: (wall: number) => string): readonly string[] {
  let day = ''
  return items.flatMap((item) => {
    const time = isoTime(item.at)
    const isSameDay = time.slice(0, 10) === day
    day = time.slice(0, 10)
    const begin = `${time.slice(11, 19)}  ${cell(plain(whoOf(item)), whoWidth).padEnd(whoWidth)}  `
    // A row always shows the end of a command, even of a long one.
    const end = item.kind === 'command' ? `  ${endOf(item)}` : ''
    const row = `${begin}${cell(plain(whatOf(item)), widthMax - begin.length - end.length)}${end}\n`
    return isSameDay ? [row] : [`${day}\n`, row]
  })
}

const plain = (text: string) => shownText(text.trim(), 2_000).replaceAll('\n', ' ⏎ ')
