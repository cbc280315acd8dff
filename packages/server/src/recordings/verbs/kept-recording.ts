import { TermError, wholeCharacters } from '@agentpty/protocol'
import { castBytesMax } from '@agentpty/protocol/recording'
import type { Handler } from '../../call/index.ts'
import { turnForLargeAnswer } from '../../terminals/index.ts'
import { isSeenRecording } from '../seen-recordings.ts'

export const keptRecording: Handler<'keptRecording'> = async (engine, { recordingId, from, maxBytes }, context) => {
  await turnForLargeAnswer(context)
  const row = engine.recordings?.find(recordingId) ?? null
  if (row === null || !isSeenRecording(engine, row, context)) throw noRecording(recordingId)
  if (row.bytes > castBytesMax)
    throw new TermError(
      'limit_reached',
      `Recording "${recordingId}" has ${row.bytes} bytes, and is played up to ${castBytesMax}.`,
      'Cut its file into parts: `agentpty recordings --json` says where it lies.',
    )
  const part = (await engine.recordings?.read(recordingId, { from, maxBytes })) ?? null
  if (part === null) throw noRecording(recordingId)
  const bytes = wholeLines(part.bytes)
  return { text: new TextDecoder().decode(bytes), next: Math.min(part.end, from) + bytes.length, end: part.end }
}

const lineFeed = 10

/** Up to the last end of a line; where there is none, whole characters: a line may be longer than a part. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(lineFeed) + 1
  return end > 0 ? bytes.subarray(0, end) : wholeCharacters(bytes)
}

function noRecording(recordingId: string): TermError {
  return new TermError(
    'invalid_input',
    `No recording "${recordingId}".`,
    'See which there are: agentpty recordings, or the verb recordings.',
  )
}
