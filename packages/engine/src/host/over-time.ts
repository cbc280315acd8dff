/** What the lineage keeps of terminals: how each was started, and why one has gone that a limit has closed. */

import { defined } from '@agentpty/protocol'
import type { OverTime, TerminalStart } from '@agentpty/protocol/agents'
import type { SessionInfo } from '@agentpty/protocol/session'
import type { ClosedByLimit } from './tree-limits.ts'

export function overTimeOf({ info, why, closedAt }: ClosedByLimit): OverTime {
  const { id: terminalId, name, parent, createdAt, argv, cwd, scope } = info
  const command = argv.join(' ')
  const terminal = { terminalId, name: name ?? undefined, parent: parent ?? undefined, createdAt, command, cwd }
  return { terminal: defined(terminal), scope, why, closedAt }
}

export function startOf(info: SessionInfo): TerminalStart
export function startOf(info: SessionInfo | undefined): TerminalStart | null
export function startOf(info: SessionInfo | undefined): TerminalStart | null {
  if (info === undefined) return null
  const { name, argv, shell, sandbox } = info
  return { name, argv, shell, hasWalls: sandbox !== null }
}
