import { defined } from '@agentpty/protocol'
import { keptRecordingsMax, keptWordsCharactersMax, type RecordingRow } from '@agentpty/protocol/recording'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { Handler } from '../../call/index.ts'
import { isSeenRecording, terminalOf } from '../seen-recordings.ts'

export const recordings: Handler<'recordings'> = async (engine, _input, context) => {
  const { rows, older } = (await engine.recordings?.newest(keptRecordingsMax)) ?? { rows: [], older: 0 }
  return defined({
    recordings: rows
      .filter((row) => isSeenRecording(engine, row, context))
      .map((row) => shown(row, terminalOf(engine, row) !== null)),
    // How many others have is nobody's business.
    older: older > 0 && context.scope === undefined ? older : undefined,
  })
}

function shown(row: RecordingRow, isLive: boolean): VerbOutput<'recordings'>['recordings'][number] {
  const { id, title, command, startedAt, seconds, bytes, exitCode } = row
  return defined({
    recordingId: id,
    terminalId: id,
    name: (title ?? id).slice(0, keptWordsCharactersMax),
    command: command?.slice(0, keptWordsCharactersMax),
    startedAt,
    seconds,
    bytes,
    exit: exitCode ?? undefined,
    isLive,
  })
}
