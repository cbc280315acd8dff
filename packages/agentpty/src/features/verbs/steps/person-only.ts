import type { CallContext } from '../../../contracts/call/call-context.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { Devices } from '../../../contracts/page/device.ts'
import { terminalVariable } from '../../../contracts/session/own-terminal.ts'
import type { EngineContext } from './engine-context.ts'

/** Errors: `denied` to whoever is no person, or calls from inside a terminal; `no_daemon` where there is no page. */
export function devicesForPerson({ devices }: EngineContext, { isPerson, env }: CallContext): Devices {
  if (isPerson !== true || env[terminalVariable] !== undefined)
    throw new TermError(
      'denied',
      'Only a person opens the page and says who may, from outside the terminals of agentpty.',
      'Leave it to the person: agentpty open, in a terminal of their own.',
    )
  if (devices !== null) return devices
  throw new TermError('no_daemon', 'These terminals belong to this process: there is no page.', 'Use connect().')
}
