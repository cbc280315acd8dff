import { defined } from '../../contracts/defined.ts'
import { recordingBytesMax } from '../../contracts/limits.ts'
import { writeAsciicast } from '../../engine/log/asciicast.ts'
import { secretsFor } from './steps/engine-context.ts'
import type { Handler } from './steps/handler.ts'
import { turnForLargeAnswer } from './steps/large-answer.ts'
import { maskBytes } from './steps/mask-lines.ts'

export const recording: Handler<'recording'> = async (engine, { terminalId }, context) => {
  await turnForLargeAnswer(context)
  const session = engine.host.find(terminalId)
  const secrets = secretsFor(engine, context)
  const { log, timeline, parsedTo, info } = session
  const { text, missedBytes } = writeAsciicast({
    log,
    timeline,
    until: parsedTo,
    startedAt: info.createdAt,
    title: info.name,
    command: info.argv.join(' '),
    maxBytes: recordingBytesMax,
    // Each moment's output stands by itself, and a secret may have been printed over several.
    shown: (since, until) => maskBytes({ session, since, until }, secrets),
  })
  return defined({ recording: text, missedBytes: missedBytes > 0 ? missedBytes : undefined })
}
