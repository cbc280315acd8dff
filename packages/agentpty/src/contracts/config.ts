/** What a person may set, as environment variables of the daemon. A wrong value is refused, never guessed around. */

import { z } from 'zod'
import { TermError } from './errors.ts'
import { exitedKeptMsDefault, logBytesDefault, logBytesMax, sessionsMax } from './limits.ts'

const whole = (min: number, max: number, otherwise: number) =>
  z.coerce.number().int().min(min).max(max).default(otherwise)

const settings = {
  /** Output kept per session, in bytes. */
  AGENTPTY_LOG_BYTES: whole(64 * 1024, logBytesMax, logBytesDefault),
  AGENTPTY_SESSIONS_MAX: whole(1, 4_096, sessionsMax),
  /** How long an exited session stays readable, in milliseconds. */
  AGENTPTY_EXITED_KEPT_MS: whole(0, 30 * 86_400_000, exitedKeptMsDefault),
}

export interface Config {
  readonly logBytes: number
  readonly sessionsMax: number
  readonly exitedKeptMs: number
}

/** Errors: `invalid_input` that names the variable and what it may be. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = (name: keyof typeof settings): number => {
    const parsed = settings[name].safeParse(env[name] || undefined)
    if (parsed.success) return parsed.data
    const problem = parsed.error.issues[0]?.message ?? 'not a number'
    throw new TermError(
      'invalid_input',
      `${name}="${env[name]}": ${problem}.`,
      'Set a whole number within its bounds, or unset it.',
    )
  }
  return {
    logBytes: read('AGENTPTY_LOG_BYTES'),
    sessionsMax: read('AGENTPTY_SESSIONS_MAX'),
    exitedKeptMs: read('AGENTPTY_EXITED_KEPT_MS'),
  }
}
