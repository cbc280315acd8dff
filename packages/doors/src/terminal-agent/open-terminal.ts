/** Opens a terminal under a display name, which is free text in that system and need not be unique. */

import { defined } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { callVerb, type DoorCall } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'

/** A shell that is not at its prompt after this time is returned as it is. */
const promptMsMax = 5_000

type CreateInput = TerminalAgentInput<'terminal_create'> & { readonly nodeId?: string }
type Spawned = VerbOutput<'spawn'>

/** With `nodeId` it replaces that node's terminal, and the node is returned. */
export async function openTerminal(
  { name = '', mode = 'normal', shell, cwd, env, nodeId }: CreateInput,
  call: DoorCall,
): Promise<{ readonly opened: VerbOutput<'create'>; readonly node: Spawned['node'] }> {
  const request = { label: name, waitTimeoutMs: promptMsMax, shell, cwd, env, nodeId }
  const { terminal, node } = await callVerb(call, 'spawn', defined(request))
  if (terminal === null) throw new Error('only a command may not be there, and a shell was asked for')
  const shellType = terminal.shell?.split('/').at(-1) ?? ''
  call.opened.set(terminal.terminalId, { name: name || terminal.terminalId, mode, shellType })
  return { opened: terminal, node }
}
