import { recordingBytesMax } from '../../contracts/limits.ts'
import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import { writeAsciicast } from '../../engine/log/asciicast.ts'
import { longTurns } from '../../engine/session/long-turns.ts'
import type { EngineContext } from './steps/engine-context.ts'

export async function recording(
  { host }: EngineContext,
  { terminalId }: VerbInput<'recording'>,
): Promise<VerbOutput<'recording'>> {
  await longTurns.turn()
  const { log, timeline, parsedTo, info } = host.find(terminalId)
  const { text, missedBytes } = writeAsciicast({
    ...{ log, timeline, until: parsedTo, startedAt: info.createdAt },
    ...{ title: info.name, command: info.argv.join(' '), maxBytes: recordingBytesMax },
  })
  return { recording: text, ...(missedBytes > 0 ? { missedBytes } : {}) }
}
