/** Composes recordings: terminals are recorded as the settings say, without the secrets of this instance. */

import { isTermError } from '../contracts/errors.ts'
import { recordingIn } from '../contracts/home/config-sections.ts'
import type { Paths } from '../contracts/home/paths.ts'
import { recordingDefaults } from '../contracts/home/recording-settings.ts'
import { secretHeldBytesMax } from '../contracts/secrets/secret-limits.ts'
import type { Host } from '../engine/host/host.ts'
import type { EngineContext } from '../server/call/index.ts'
import { Recordings } from '../server/recordings/index.ts'
import { Secrets, StreamMask } from '../server/secrets/index.ts'
import { configPath, readConfigFile } from '../server/state/index.ts'

type Engine = Pick<EngineContext, 'clock' | 'secrets'> & { readonly host: Host }

/** By the settings as they are now; where they are wrong nothing is recorded but what was asked for, and the log tells. */
export function recordAsSet(
  { clock, host, secrets }: Engine,
  { configFolder, recordings: folder }: Pick<Paths, 'configFolder' | 'recordings'>,
  log: (text: string) => void,
): Recordings {
  const known = secrets ?? new Secrets()
  const failed = (what: string) => log(`A recording: ${what}`)
  const mask = (offset: number, before: Uint8Array) => new StreamMask(known, offset, before)
  const options = { clock, host, folder, secrets: known, mask, leadBytes: secretHeldBytesMax, failed }
  try {
    return new Recordings({ ...options, settings: recordingIn(readConfigFile(configPath(configFolder))) })
  } catch (error) {
    if (!isTermError(error)) throw error
    log(`The settings of recordings do not count: ${error.message}`)
    return new Recordings({ ...options, settings: recordingDefaults })
  }
}
