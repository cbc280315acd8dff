/** The tools that open, list and close terminals. */

import { defined } from '@agentpty/protocol'
import type { JsonObject } from '@agentpty/protocol/wire'
import { callVerb, type DoorCall, listTerminals } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'
import { isComplete } from './read-output.ts'

/** Shells that mark their prompts and commands. */
const integratedShell = /(^|\/)(bash|zsh|fish)$/
/** A shell that is not at its prompt after this time is returned anyway. */
const promptMsMax = 5_000

/** Opens a terminal under a display name, which is free text in that system and need not be unique. */
export async function create(
  { name: label = '', mode = 'normal', ...input }: TerminalAgentInput<'terminal_create'>,
  call: DoorCall,
): Promise<JsonObject> {
  const request = { label, waitTimeoutMs: promptMsMax, shell: input.shell, cwd: input.cwd, env: input.env }
  const { terminal } = await callVerb(call, 'spawn', defined(request))
  if (terminal === null) throw new Error('only a command may not be there, and a shell was asked for')
  const { terminalId, shell = '', pid, kind } = terminal
  const name = label || terminalId
  call.opened.set(terminalId, { name, mode, shellType: shell.split('/').at(-1) ?? '' })
  const shellIntegrationReady = kind === 'shell' && integratedShell.test(shell)
  return { terminalId, id: terminalId, name, shell, pid, mode, shellIntegrationReady }
}

export async function list(_input: TerminalAgentInput<'terminal_list'>, call: DoorCall): Promise<JsonObject> {
  const terminals = (await listTerminals(call)).map((terminal, arrayIndex) => {
    const { terminalId, name, isActive, pid, createdAt, exitCode } = terminal
    const opened = call.opened.get(terminalId)
    return defined({
      terminalId,
      id: terminalId,
      name: opened?.name ?? name ?? terminalId,
      isActive,
      pid,
      shellType: opened?.shellType,
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
