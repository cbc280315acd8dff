import type { Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import type { Approval } from '@agentpty/protocol/approvals'
import { callerName } from '@agentpty/protocol/call'
import type { Handler, Handlers } from '../call/index.ts'
import { type Approvals, terminalOf } from './approvals.ts'

const approvals: Handler<'approvals'> = async (engine, { all, waitTimeoutMs }, { signal, scope }) => {
  const { approvals, clock, host } = engine
  const latest = clock.now() + waitTimeoutMs
  // Clients with a scope answer no approval, so calls do not wait for them.
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

export const approvalHandlers = {
  approvals,
  decide: async ({ approvals, gates }, { approvalId, answer, grant, endJob }, context) => {
    const by = callerName(context)
    if (answer === 'deny' && endJob) gates.endJob(approvalId)
    return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by, grant })) }
  },
} satisfies Partial<Handlers>

type Followed = Pick<Approvals, 'list' | 'withdrawFrom' | 'onChange'>
type FindSession = (terminalId: string) => Session | null

/**
 * Withdraws the approvals of terminals that end, now and later: their answer has no effect. Includes approvals that an earlier server left
 * open. Call it after all listeners of the approvals are registered.
 */
export function withdrawOfEnded(find: FindSession, approvals: Followed): void {
  const terminals = new EndedTerminals(find, approvals)
  for (const approval of approvals.list().filter(({ state }) => state === 'open')) {
    const terminalId = terminalOf(approval)
    if (terminalId !== null && isOver(find(terminalId))) approvals.withdrawFrom({ terminalId })
    else terminals.follow(approval)
  }
  approvals.onChange((approval) => terminals.follow(approval))
}

class EndedTerminals {
  readonly #find: FindSession
  readonly #approvals: Followed
  readonly #awaited = new Set<string>()

  constructor(find: FindSession, approvals: Followed) {
    this.#find = find
    this.#approvals = approvals
  }

  /** Waits for the terminal's end. An approval that was requested after the end stays. */
  follow(approval: Approval): void {
    const terminalId = terminalOf(approval)
    if (approval.state !== 'open' || terminalId === null || this.#awaited.has(terminalId)) return
    const session = this.#find(terminalId)
    if (session === null || isOver(session)) return
    this.#awaited.add(terminalId)
    void this.#awaitEnd(session)
  }

  /** A server that ends leaves the session alive and the approvals open. */
  async #awaitEnd(session: Session): Promise<void> {
    const terminalId = session.info.id
    try {
      for await (const event of session.followers.follow({})) if (event.type === 'exit') break
    } catch {
      // Too many clients follow it: this approval expires in its time.
    }
    this.#awaited.delete(terminalId)
    if (session.exit !== null) this.#approvals.withdrawFrom({ terminalId })
  }
}

const isOver = (session: Session | null): boolean => session === null || session.exit !== null
