/** Composes recordings: terminals are recorded as the settings say, without the secrets of this instance. */

import type { Host } from '@agentpty/engine/host'
import { isTermError } from '@agentpty/protocol'
import { type Paths, recordingDefaults, recordingIn } from '@agentpty/protocol/home'
import { secretHeldBytesMax } from '@agentpty/protocol/secrets'
import type { EngineContext } from '@agentpty/server/call'
import { Recordings } from '@agentpty/server/recordings'
import { Secrets, StreamMask } from '@agentpty/server/secrets'
import { configPath, readConfigFile } from '@agentpty/server/state'

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
