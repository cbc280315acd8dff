/** The tools that open, list and close terminals. */

import { defined } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { callVerb, type DoorCall, displayName, listTerminals } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'
import { isComplete } from './read-output.ts'

/** They mark their prompts and commands. */
const integratedShell = /(^|\/)(bash|zsh|fish)$/

export async function create(input: TerminalAgentInput<'terminal_create'>, call: DoorCall): Promise<JsonObject> {
  const { opened } = await openTerminal(input, call)
  const { terminalId, shell, pid, kind } = opened
  return {
    terminalId,
    id: terminalId,
    name: input.name || terminalId,
    shell: shell ?? '',
    pid,
    mode: input.mode ?? 'normal',
    shellIntegrationReady: kind === 'shell' && integratedShell.test(shell ?? ''),
  }
}

export async function list(_input: TerminalAgentInput<'terminal_list'>, call: DoorCall): Promise<JsonObject> {
  const terminals = (await listTerminals(call)).map((terminal, arrayIndex) => {
    const { terminalId, isActive, pid, createdAt, exitCode } = terminal
    const opened = call.opened.get(terminalId)
    return defined({
      terminalId,
      id: terminalId,
      name: displayName(call, terminal),
      isActive,
      pid,
      shellType: opened === undefined ? undefined : opened.shellType,
      mode: opened?.mode ?? 'normal',
      createdAt,
      isCommandRunning: !isComplete(terminal),
      arrayIndex,
      exitCode,
    })
  })
  return { terminals }
}

export async function close({ terminalId }: TerminalAgentInput<'terminal_close'>, call: DoorCall): Promise<JsonObject> {
  const { closed, survivors } = await callVerb(call, 'close', { terminalId })
  for (const id of closed) call.opened.delete(id)
  return defined({ closed: true, terminalId, survivors })
}

// Opens a terminal under a display name, which is free text in that system and need not be unique.

/** A shell that is not at its prompt after this time is returned anyway. */
const promptMsMax = 5_000

type CreateInput = TerminalAgentInput<'terminal_create'> & { readonly nodeId?: string }
type Spawned = VerbOutput<'spawn'>

/** With `nodeId` it replaces that node's terminal, and the node is returned. */
async function openTerminal(
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
