/** How fast a recording is shown: the flags of `replay` and `export`. */

import { type Millis, TermError } from '@agentpty/protocol'
import { idleMsDefault } from '@agentpty/protocol/recording'
import { type FlagValues, textFlag } from '../command.ts'
import { durationMs } from '../duration-ms.ts'

/** Errors: `invalid_input`. */
export function speedFlag(flags: FlagValues): number {
  const text = textFlag(flags, 'speed') ?? '1'
  const speed = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : 0
  if (speed > 0) return speed
  throw new TermError('invalid_input', `--speed ${text}: not a speed.`, 'For example: --speed 2')
}

/** Errors: `invalid_input`. */
export function idleFlag(flags: FlagValues): Millis {
  const text = textFlag(flags, 'idle')
  if (text === undefined) return idleMsDefault
  const [, ms] = /^(\d{1,7})ms$/.exec(text) ?? []
  const idle = ms === undefined ? durationMs(text) : Number(ms)
  if (idle !== null) return idle
  throw new TermError('invalid_input', `--idle ${text}: not a time.`, 'For example: --idle 1s, --idle 500ms')
}
