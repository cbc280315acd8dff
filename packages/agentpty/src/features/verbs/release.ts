import { personsOnly } from './steps/by-person-only.ts'
import type { Handler } from './steps/handler.ts'

export const release: Handler<'release'> = async (engine, { terminalId, mayType, holder }, context) => {
  const session = engine.host.find(terminalId)
  personsOnly(session.info.id, 'given back', context)
  const { lease } = session.keyboard
  if (holder !== undefined && lease.holder !== holder) return { lease }
  return { lease: engine.host.leases.release(session, mayType) }
}
