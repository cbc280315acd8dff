import { nothingBefore, type OutputLog, writeAsciicast, writeCast } from '@agentpty/engine/log'
import { recordedCommands } from '@agentpty/engine/session'
import {
  defined,
  invalidInput,
  limitReached,
  type Offset,
  recordingBytesMax,
  type TermError,
  wholeCharacters,
} from '@agentpty/protocol'
import {
  castBytesMax,
  keptRecordingsMax,
  keptWordsCharactersMax,
  type RecordingRow,
} from '@agentpty/protocol/recording'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Handler, type Handlers, secretsFor } from '../call/index.ts'
import { countInvalid, maskBytes, turnForLargeAnswer } from '../terminals/index.ts'
import { isSeenRecording, terminalOf } from './recording-files.ts'

const keptRecording: Handler<'keptRecording'> = async (engine, { recordingId, from, maxBytes }, context) => {
  await turnForLargeAnswer(context)
  const row = engine.recordings?.find(recordingId) ?? null
  if (row === null || !isSeenRecording(engine, row, context)) throw noRecording(recordingId)
  if (row.bytes > castBytesMax)
    throw limitReached(
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
  return invalidInput(
    `No recording "${recordingId}".`,
    'See which there are: agentpty recordings, or the verb recordings.',
  )
}

const recording: Handler<'recording'> = async (
  engine,
  { terminalId, since = 0, until, version = 2, markers },
  context,
) => {
  await turnForLargeAnswer(context)
  const session = engine.host.find(terminalId)
  const secrets = secretsFor(engine, context)
  const { log, timeline, parsedTo, info } = session
  const next = until === undefined || until >= parsedTo ? parsedTo : wholeUntil(log, until)
  const write = version === 3 ? writeCast : writeAsciicast
  const { text, missedBytes } = write({
    log,
    timeline,
    since: Math.min(since, parsedTo),
    until: next,
    startedAt: info.createdAt,
    title: info.name,
    command: info.shell ?? info.argv.join(' '),
    commands: version === 3 && markers === undefined ? recordedCommands(session, nothingBefore(since), next) : [],
    markers: (markers ?? []).filter(({ offset }) => offset >= since && offset <= next),
    exit: next === parsedTo ? session.exit : null,
    maxBytes: recordingBytesMax,
    // Each moment's output stands by itself, and a secret may have been printed over several.
    shown: (from, until) => maskBytes({ session, since: from, until }, secrets),
  })
  return defined({
    recording: text,
    next,
    end: parsedTo,
    timesUnknownTo: timeline.unknownTo > since ? timeline.unknownTo : undefined,
    missedBytes: missedBytes > 0 ? missedBytes : undefined,
    invalidBytes: await countInvalid(session, missedBytes, next),
  })
}

const characterBytesMax = 4

/** No character is cut: the next part begins with it. */
function wholeUntil(log: OutputLog, until: Offset): Offset {
  const { bytes } = log.read({ since: until - characterBytesMax, until })
  return until - (bytes.length - wholeCharacters(bytes).length)
}

const recordings: Handler<'recordings'> = async (engine, _input, context) => {
  const { rows, older } = (await engine.recordings?.newest(keptRecordingsMax)) ?? { rows: [], older: 0 }
  return defined({
    recordings: rows
      .filter((row) => isSeenRecording(engine, row, context))
      .map((row) => shown(row, terminalOf(engine, row) !== null)),
    // The number of other callers' recordings stays private.
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

export const recordingHandlers = {
  keptRecording,
  recording,
  recordings,
} satisfies Partial<Handlers>
