/** Composes what the command line does with recordings. */

import { readFileSync } from 'node:fs'
import type { Paths } from '@agentpty/protocol/home'
import type { RecordingsRoom } from '@agentpty/protocol/recording'
import { recordingsRoom } from '@agentpty/server/recordings'
import { fontFiles } from '@agentpty/server/terminals'
import { packageFile } from './own-host.ts'

export function ownRecordings({
  recordings,
  configFolder,
}: Pick<Paths, 'recordings' | 'configFolder'>): RecordingsRoom {
  return recordingsRoom(recordings, {
    fonts: () => fontFiles(packageFile('dist/fonts'), configFolder),
    page: () => readFileSync(packageFile('dist/player.html'), 'utf8'),
  })
}
