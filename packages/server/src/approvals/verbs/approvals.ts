import type { Approval } from '@agentpty/protocol/approvals'
import type { Handler } from '../../call/index.ts'

export const approvals: Handler<'approvals'> = async (engine, { all, waitTimeoutMs }, { signal, scope }) => {
  const { approvals, clock, host } = engine
  const latest = clock.now() + waitTimeoutMs
  // Whoever has a scope answers none: calls do not wait for it.
  if (waitTimeoutMs > 0 && scope === undefined) await approvals.watched(latest, signal)
  else if (waitTimeoutMs > 0) await approvals.changed(latest, signal)
  // For a new terminal there is none yet: then who has asked counts.
  const isSeen = (asked: Approval) =>
    scope === undefined ||
    asked.scope === scope.id ||
    (asked.terminalId !== null && host.known(asked.terminalId) !== null)
  const seen = approvals.list().filter(isSeen)
  const grants = scope === undefined ? approvals.grants() : []
  return {
    approvals: seen.filter(({ state }) => all || state === 'open'),
    grants: grants.map((grant) => ({ ...grant, leftMs: grant.expiresAt - clock.wall() })),
  }
}
