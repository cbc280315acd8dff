import type { Handler } from './steps/handler.ts'

export const approvals: Handler<'approvals'> = async ({ approvals, clock }, { all, waitTimeoutMs }, { signal }) => {
  if (waitTimeoutMs > 0) await approvals.watched(clock.now() + waitTimeoutMs, signal)
  return {
    approvals: approvals.list().filter(({ state }) => all || state === 'open'),
    grants: approvals.grants().map((grant) => ({ ...grant, leftMs: grant.expiresAt - clock.wall() })),
  }
}
