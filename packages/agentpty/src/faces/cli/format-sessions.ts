/** The list of terminals as a table for people. */

import type { VerbOutput } from '../../contracts/verbs/index.ts'
import { cell, table } from './table.ts'

type Listed = VerbOutput<'list'>['terminals'][number]

const columns = ['ID', 'NAME', 'STATE', 'PID', 'COMMAND', 'CWD'] as const
const commandWidthMax = 48

export function formatSessions(terminals: readonly Listed[]): string {
  if (terminals.length === 0) return 'No terminals.\n'
  return table([columns, ...terminals.map(cellsOf)])
}

function cellsOf({ terminalId, name, pid, command, cwd, clientEnded, ...verdict }: Listed): readonly string[] {
  const state = [stateOf(verdict), clientEnded ?? []].flat().join(', ')
  return [terminalId, name ?? '-', state, String(pid), cell(command, commandWidthMax), cwd]
}

export function stateOf({
  state,
  kind,
  exitCode,
  signal,
}: Pick<Listed, 'state' | 'kind' | 'exitCode' | 'signal'>): string {
  if (state === 'exited') return `exited ${signal ?? exitCode ?? ''}`.trim()
  return kind === undefined ? state : `${state} (${kind})`
}
