import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import type { EngineContext } from './steps/engine-context.ts'

export async function rename(
  { host }: EngineContext,
  { terminalId, name }: VerbInput<'rename'>,
): Promise<VerbOutput<'rename'>> {
  const session = host.find(terminalId)
  host.rename(session, name)
  return { terminalId: session.info.id, name }
}
