/** The recording that a word names: a file, a recording that is kept, or the kept output of a terminal. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { invalidInput, isTermError, type Millis } from '@agentpty/protocol'
import { type Cast, idleMsDefault, type RecordingsRoom } from '@agentpty/protocol/recording'
import { type CommandCall, type FlagValues, textFlag, withClient } from '../command.ts'
import { recordingOf } from '../commands/recordings.ts'
import { complainOfGaps } from '../observation.ts'
import { durationMs } from '../parse-values.ts'

/** Errors: `invalid_input`, `machine_unfit`, `limit_reached`. */
export async function findCast({ options }: CommandCall, room: RecordingsRoom, word: string): Promise<Cast> {
  const path = resolve(options.folders.cwd, word)
  if (existsSync(path)) return room.open({ path })
  const row = recordingOf(room.list(), word)
  if (row !== undefined) return room.open(row)
  return room.open({ text: await keptOutput(options, word) })
}

async function keptOutput(options: CommandCall['options'], word: string): Promise<string> {
  try {
    const recorded = await withClient(options, (client) => client.call('recording', { terminalId: word, version: 3 }), {
      mayStart: false,
    })
    complainOfGaps(options, recorded)
    return recorded.recording
  } catch (error) {
    if (!isTermError(error) || (error.code !== 'no_daemon' && error.code !== 'session_not_found')) throw error
    throw invalidInput(`No file, recording or terminal "${word}".`, 'See: agentpty recordings, agentpty ls')
  }
}

// How fast a recording is shown: the flags of `replay` and `export`.

/** Errors: `invalid_input`. */
export function speedFlag(flags: FlagValues): number {
  const text = textFlag(flags, 'speed') ?? '1'
  const speed = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : 0
  if (speed > 0) return speed
  throw invalidInput(`--speed ${text}: not a speed.`, 'For example: --speed 2')
}

/** Errors: `invalid_input`. */
export function idleFlag(flags: FlagValues): Millis {
  const text = textFlag(flags, 'idle')
  if (text === undefined) return idleMsDefault
  const [, ms] = /^(\d{1,7})ms$/.exec(text) ?? []
  const idle = ms === undefined ? durationMs(text) : Number(ms)
  if (idle !== null) return idle
  throw invalidInput(`--idle ${text}: not a time.`, 'For example: --idle 1s, --idle 500ms')
}
