import type { OperationInput, OperationOutput } from '../../contracts/call/operations.ts'
import type { EngineContext } from './steps/engine-context.ts'

export async function rename(
  { host }: EngineContext,
  { terminalId, name }: OperationInput<'rename'>,
): Promise<OperationOutput<'rename'>> {
  const session = host.find(terminalId)
  host.rename(session, name)
  return { terminalId: session.info.id, name }
}
