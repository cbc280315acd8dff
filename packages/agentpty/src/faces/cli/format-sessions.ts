/** The list of terminals as a table for people. */

import type { VerbOutput } from '../../contracts/verbs/index.ts'

type Listed = VerbOutput<'list'>['terminals'][number]

const columns = ['ID', 'NAME', 'STATE', 'PID', 'COMMAND', 'CWD'] as const
const commandWidthMax = 48

export function formatSessions(terminals: readonly Listed[]): string {
  if (terminals.length === 0) return 'No terminals.\n'
  const rows = [columns, ...terminals.map(cellsOf)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function cellsOf({ terminalId, name, pid, command, cwd, ...verdict }: Listed): readonly string[] {
  const shown = command.length > commandWidthMax ? `${command.slice(0, commandWidthMax - 1)}…` : command
  return [terminalId, name ?? '-', stateOf(verdict), String(pid), shown.replaceAll(/\s+/g, ' '), cwd]
}

function stateOf({ state, kind, exitCode, signal }: Pick<Listed, 'state' | 'kind' | 'exitCode' | 'signal'>): string {
  if (state === 'exited') return `exited ${signal ?? exitCode ?? ''}`.trim()
  return kind === undefined ? state : `${state} (${kind})`
}
