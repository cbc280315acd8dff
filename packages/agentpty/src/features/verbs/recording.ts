import { defined } from '../../contracts/defined.ts'
import { recordingBytesMax } from '../../contracts/limits.ts'
import { writeAsciicast } from '../../engine/log/asciicast.ts'
import type { Handler } from './steps/handler.ts'
import { turnForLargeAnswer } from './steps/large-answer.ts'

export const recording: Handler<'recording'> = async ({ host }, { terminalId }, context) => {
  await turnForLargeAnswer(context)
  const { log, timeline, parsedTo, info } = host.find(terminalId)
  const { text, missedBytes } = writeAsciicast({
    log,
    timeline,
    until: parsedTo,
    startedAt: info.createdAt,
    title: info.name,
    command: info.argv.join(' '),
    maxBytes: recordingBytesMax,
  })
  return defined({ recording: text, missedBytes: missedBytes > 0 ? missedBytes : undefined })
}
