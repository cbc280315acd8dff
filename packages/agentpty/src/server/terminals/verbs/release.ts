import type { Handler } from '../../call/handler.ts'

export const release: Handler<'release'> = async (engine, { terminalId, mayType, holder }) => {
  const session = engine.host.find(terminalId)
  const { lease } = session.keyboard
  if (holder !== undefined && lease.holder !== holder) return { lease }
  return { lease: engine.host.leases.release(session, mayType) }
}
