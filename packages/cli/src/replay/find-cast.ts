/** The recording that a word names: a file, a recording that is kept, or the kept output of a terminal. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isTermError, TermError } from '@agentpty/protocol'
import type { Cast, RecordingsRoom } from '@agentpty/protocol/recording'
import { type CommandCall, withClient } from '../command.ts'
import { recordingOf } from '../commands/recordings.ts'
import { complainOfGaps } from '../observation.ts'

/** Errors: `invalid_input`, `environment`, `limit_reached`. */
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
    throw new TermError(
      'invalid_input',
      `No file, recording or terminal "${word}".`,
      'See: agentpty recordings, agentpty ls',
    )
  }
}
