/** The time that programs inside see: a library between them and the system moves it, for those that are linked with one. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '@agentpty/protocol'
import type { EnvironmentSpec } from '@agentpty/protocol/gym'

/** Of Debian, of Fedora, and of what one builds oneself. */
function libraryPlaces(): readonly string[] {
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
  const below = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
  return [...below.map((name) => join('/usr/lib', name)), ...folders].map((at) =>
    join(at, 'faketime/libfaketimeMT.so.1'),
  )
}

/** Errors: `invalid_input` where a time is asked for and cannot be. */
export function assertClock({ clock }: Pick<EnvironmentSpec, 'clock'>): void {
  if (clock !== undefined) libraryOf()
}

function libraryOf(): string {
  const found = libraryPlaces().find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new TermError(
    'invalid_input',
    'A clock that starts at another time needs libfaketime, which is not on this machine.',
    'On Debian and Ubuntu: apt-get install faketime',
  )
}

/**
 * Variables for an episode that begins at `now`, in ms. All its programs see one time, which goes on as the real one does. The monotonic clock is
 * left alone: nothing can be told by it, and waits go by it. Errors: as {@link assertClock}.
 */
export function clockVariables(
  { clock, env }: Pick<EnvironmentSpec, 'clock' | 'env'>,
  now: number,
): Readonly<Record<string, string>> {
  if (clock === undefined) return {}
  const seconds = (Date.parse(clock.startAt) - now) / 1_000
  const others = env['LD_PRELOAD'] === undefined ? '' : `:${env['LD_PRELOAD']}`
  return {
    LD_PRELOAD: `${libraryOf()}${others}`,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`,
    DONT_FAKE_MONOTONIC: '1',
    // Some programs would see other times of files than others do.
    NO_FAKE_STAT: '1',
  }
}
