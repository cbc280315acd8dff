import { defined } from '../../contracts/defined.ts'
import { recordingBytesMax } from '../../contracts/limits.ts'
import { writeAsciicast } from '../../engine/log/asciicast.ts'
import { nothingBefore } from '../../engine/log/cast-steps.ts'
import { writeCast } from '../../engine/log/write-cast.ts'
import { recordedCommands } from '../../engine/session/recorded-commands.ts'
import { secretsFor } from './steps/engine-context.ts'
import type { Handler } from './steps/handler.ts'
import { turnForLargeAnswer } from './steps/large-answer.ts'
import { maskBytes } from './steps/mask-lines.ts'

export const recording: Handler<'recording'> = async (engine, { terminalId, since = 0, version = 2 }, context) => {
  await turnForLargeAnswer(context)
  const session = engine.host.find(terminalId)
  const secrets = secretsFor(engine, context)
  const { log, timeline, parsedTo, info } = session
  const write = version === 3 ? writeCast : writeAsciicast
  const { text, missedBytes } = write({
    log,
    timeline,
    since: Math.min(since, parsedTo),
    until: parsedTo,
    startedAt: info.createdAt,
    title: info.name,
    command: info.argv.join(' '),
    commands: version === 3 ? recordedCommands(session, nothingBefore(since), parsedTo) : [],
    exit: session.exit,
    maxBytes: recordingBytesMax,
    // Each moment's output stands by itself, and a secret may have been printed over several.
    shown: (from, until) => maskBytes({ session, since: from, until }, secrets),
  })
  return defined({ recording: text, missedBytes: missedBytes > 0 ? missedBytes : undefined })
}
