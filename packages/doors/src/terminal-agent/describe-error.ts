/** Errors in the words of the other system, where it has words for them; ours with their hint elsewhere. */

import { isTermError } from '@agentpty/protocol'
import type { ToolAnswer } from '@agentpty/protocol/mcp'
import { aside } from '../parts/aside.ts'
import { type DoorCall, listTerminals } from './call-verbs.ts'

/** Errors: rethrows everything that is not a {@link TermError}. */
export async function describeError(error: unknown, terminalId: string | null, call: DoorCall): Promise<ToolAnswer> {
  if (!isTermError(error)) throw error
  const { code, message, hint } = error
  const text = `Error: ${(await inItsWords(code, terminalId, call)) ?? [message, hint].filter(Boolean).join(' ')}`
  return { text, isError: true }
}

async function inItsWords(code: string, terminalId: string | null, call: DoorCall): Promise<string | null> {
  if (terminalId === null) return null
  if (code === 'session_not_found') return notFound(terminalId, call)
  if (code !== 'session_exited') return null
  if (call.opened.get(terminalId)?.mode === 'pty')
    return 'Cannot write to shell: process is not running or stdin is closed. The shell may have exited.'
  return `Terminal is closed: "${terminalId}". It was closed externally and is in a grace period — reads are allowed but mutations are not.`
}

async function notFound(terminalId: string, call: DoorCall): Promise<string> {
  const looking = { ...call, client: aside(call.client) }
  const active = (await listTerminals(looking))
    .filter(({ isActive }) => isActive)
    .map((terminal) => terminal.terminalId)
  const ids = active.length > 0 ? active.join(', ') : '(none)'
  return `Terminal not found: "${terminalId}". Active terminal IDs: [${ids}]`
}
