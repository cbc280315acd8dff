/** Opening a terminal under a name for display, which is free text there and may be that of another terminal. */

import { TerminalName } from '../../contracts/call/terminal-fields.ts'
import { defined } from '../../contracts/defined.ts'
import { isTermError } from '../../contracts/errors.ts'
import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import { callVerb, type DoorCall } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'

/** A shell that is not at its prompt by then is handed over as it is. */
const promptMsMax = 5_000
const nameCharacters = 64

type Create = VerbInput<'create'>

export async function openTerminal(
  { name, mode = 'normal', shell, cwd, env }: TerminalAgentInput<'terminal_create'>,
  call: DoorCall,
): Promise<VerbOutput<'create'>> {
  const asked: Create = defined({
    waitTimeoutMs: promptMsMax,
    shell,
    cwd,
    env,
  })
  const created = await createNamed(asked, name, call)
  const shellType = created.shell?.split('/').at(-1) ?? ''
  call.opened.set(created.terminalId, { name: name || created.terminalId, mode, shellType })
  return created
}

/** Under its name, if it can be one of ours, so that people find it by it; else without. */
async function createNamed(asked: Create, name: string | undefined, call: DoorCall) {
  const own = ownName(name ?? '')
  if (own === null) return callVerb(call, 'create', asked)
  try {
    return await callVerb(call, 'create', { ...asked, name: own })
  } catch (error) {
    if (!isTermError(error) || error.code !== 'name_taken') throw error
    return callVerb(call, 'create', asked)
  }
}

/** Null where nothing is left of it, or it would look like another terminal's id. */
function ownName(name: string): string | null {
  const own = name
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, nameCharacters)
    .replaceAll(/^-+|-+$/g, '')
  return TerminalName.safeParse(own).success && !/^term-\d+$/.test(own) ? own : null
}
