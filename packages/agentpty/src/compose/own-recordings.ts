/** Composes what the command line does with recordings. */

import { readFileSync } from 'node:fs'
import type { Paths } from '../contracts/home/paths.ts'
import type { RecordingsRoom } from '../contracts/recording/recordings-room.ts'
import { recordingsRoom } from '../server/recordings/index.ts'
import { fontFiles } from '../server/terminals/index.ts'
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
