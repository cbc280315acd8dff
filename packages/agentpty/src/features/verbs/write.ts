import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { noteOf } from './steps/type-text.ts'

export async function write(
  { host }: EngineContext,
  { terminalId, data }: VerbInput<'write'>,
): Promise<VerbOutput<'write'>> {
  const session = host.find(terminalId)
  const note = noteOf(await session.write(Buffer.from(data, 'base64')))
  return { written: true, ...(note === undefined ? {} : { note }) }
}
