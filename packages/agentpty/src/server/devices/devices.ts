import { TermError } from '../../contracts/errors.ts'
import type { Devices } from '../../contracts/page/device.ts'
import type { EngineContext } from '../call/index.ts'

/** Errors: `no_daemon` where there is no page. */
export function devicesOf({ devices }: EngineContext): Devices {
  if (devices !== null) return devices
  throw new TermError('no_daemon', 'These terminals belong to this process: there is no page.', 'Use connect().')
}
