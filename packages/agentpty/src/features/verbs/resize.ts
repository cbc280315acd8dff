import type { OperationInput, OperationOutput } from '../../contracts/call/operations.ts'
import type { EngineContext } from './steps/engine-context.ts'

export async function resize(
  engine: EngineContext,
  input: OperationInput<'resize'>,
): Promise<OperationOutput<'resize'>> {
  const session = engine.host.find(input.terminalId)
  const { cols, rows } = input
  await session.resize({ cols, rows })
  return { terminalId: session.info.id, cols, rows }
}
