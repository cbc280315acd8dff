import { TermError } from '@agentpty/protocol'
import type { Devices } from '@agentpty/protocol/page'
import type { EngineContext } from '../call/index.ts'

/** Errors: `no_daemon` where there is no page. */
export function devicesOf({ devices }: EngineContext): Devices {
  if (devices !== null) return devices
  throw new TermError('no_daemon', 'These terminals belong to this process: there is no page.', 'Use connect().')
}
