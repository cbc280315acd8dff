/** The list of terminals as a table for people. */

import { stateWords } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { cell, table } from './table.ts'
import { type TerminalStates, terminalState } from './terminal-states.ts'

type Listed = VerbOutput<'list'>['terminals'][number]

const columns = ['ID', 'NAME', 'STATE', 'PID', 'COMMAND', 'CWD'] as const
const commandWidthMax = 48

export function formatSessions(terminals: readonly Listed[], states: TerminalStates): string {
  if (terminals.length === 0) return 'No terminals.\n'
  const cellsOf = (terminal: Listed): readonly string[] => {
    const { terminalId, name, pid, command, cwd, clientEnded } = terminal
    const words = stateWords(states.get(terminalId) ?? terminalState(terminal))
    const state = [words, clientEnded ?? []].flat().join(', ')
    return [terminalId, name ?? '-', state, String(pid), cell(command, commandWidthMax), cwd]
  }
  return table([columns, ...terminals.map(cellsOf)])
}
