import type { OperationInput, OperationOutput } from '../../contracts/call/operations.ts'
import type { EngineContext } from './steps/engine-context.ts'
import { noteOf } from './steps/type-text.ts'

export async function write(
  { host }: EngineContext,
  { terminalId, data }: OperationInput<'write'>,
): Promise<OperationOutput<'write'>> {
  const session = host.find(terminalId)
  const note = noteOf(await session.write(Buffer.from(data, 'base64')))
  return { written: true, ...(note === undefined ? {} : { note }) }
}
