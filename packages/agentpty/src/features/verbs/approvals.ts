import type { Handler } from './steps/handler.ts'

export const approvals: Handler<'approvals'> = async (engine, { all, waitTimeoutMs }, { signal, scope }) => {
  const { approvals, clock, host } = engine
  const latest = clock.now() + waitTimeoutMs
  // Whoever has a scope answers none: calls do not wait for it.
  if (waitTimeoutMs > 0 && scope === undefined) await approvals.watched(latest, signal)
  else if (waitTimeoutMs > 0) await approvals.changed(latest, signal)
  const isSeen = (terminalId: string | null) =>
    scope === undefined || (terminalId !== null && host.known(terminalId) !== null)
  const seen = approvals.list().filter(({ terminalId }) => isSeen(terminalId))
  const grants = scope === undefined ? approvals.grants() : []
  return {
    approvals: seen.filter(({ state }) => all || state === 'open'),
    grants: grants.map((grant) => ({ ...grant, leftMs: grant.expiresAt - clock.wall() })),
  }
}
