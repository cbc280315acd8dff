/** Recordings for the command line: listed, removed, opened, and shown on a screen. */

import { readFileSync, statSync } from 'node:fs'
import { ScreenOfCast } from '@agentpty/engine/picture'
import { TermError } from '@agentpty/protocol'
import { type CastSource, castBytesMax, type RecordingsRoom, readCast } from '@agentpty/protocol/recording'
import { type ExportParts, exportCast } from './exports/export-cast.ts'
import { listRecordings, removeRecording } from './recording-files.ts'

export function recordingsRoom(folder: string, parts: ExportParts): RecordingsRoom {
  return {
    folder,
    list: () => listRecordings(folder),
    remove: ({ path }) => removeRecording(path),
    open: (source) =>
      readCast('text' in source ? source.text : textOf(source), 'text' in source ? 'The recording' : source.path),
    screen: (cast) => new ScreenOfCast(cast),
    export: (cast, options) => exportCast(cast, options, parts),
  }
}

function textOf({ path }: Extract<CastSource, { readonly path: string }>): string {
  try {
    const { size } = statSync(path)
    if (size <= castBytesMax) return readFileSync(path, 'utf8')
  } catch (error) {
    throw new TermError(
      'environment',
      `${path} cannot be read: ${(error as Error).message}.`,
      'See what there is: agentpty recordings',
    )
  }
  throw new TermError('limit_reached', `${path} is larger than ${castBytesMax} bytes.`, 'Cut it into parts.')
}
