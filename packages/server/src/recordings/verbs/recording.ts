import { nothingBefore, type OutputLog, writeAsciicast, writeCast } from '@agentpty/engine/log'
import { recordedCommands } from '@agentpty/engine/session'
import { defined, type Offset, recordingBytesMax, wholeCharacters } from '@agentpty/protocol'
import { type Handler, secretsFor } from '../../call/index.ts'
import { countInvalid, maskBytes, turnForLargeAnswer } from '../../terminals/index.ts'

export const recording: Handler<'recording'> = async (
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
