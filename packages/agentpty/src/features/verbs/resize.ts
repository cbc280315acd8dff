import type { VerbInput, VerbOutput } from '../../contracts/verbs/index.ts'
import type { EngineContext } from './steps/engine-context.ts'

export async function resize(engine: EngineContext, input: VerbInput<'resize'>): Promise<VerbOutput<'resize'>> {
  const session = engine.host.find(input.terminalId)
  const { cols, rows } = input
  await session.resize({ cols, rows })
  return { terminalId: session.info.id, cols, rows }
}
