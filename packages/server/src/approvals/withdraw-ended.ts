/** Withdraws the approvals of terminals that have ended: their answer has no effect. */

import type { Session } from '@agentpty/engine/session'
import type { Approval, ApprovalQueue } from '@agentpty/protocol/approvals'
import { terminalOf } from './approvals.ts'

type Approvals = Pick<ApprovalQueue, 'list' | 'withdrawFrom'>
type FindSession = (terminalId: string) => Session | null

export class EndedTerminals {
  readonly #find: FindSession
  readonly #approvals: Approvals
  /** Terminals whose end is awaited. */
  readonly #awaited = new Set<string>()

  /** Approvals that an earlier server left open are followed, and withdrawn where their terminal has ended meanwhile. */
  constructor(find: FindSession, approvals: Approvals) {
    this.#find = find
    this.#approvals = approvals
    for (const approval of approvals.list().filter(({ state }) => state === 'open')) {
      const terminalId = terminalOf(approval)
      if (terminalId !== null && isOver(find(terminalId))) approvals.withdrawFrom({ terminalId })
      else this.follow(approval)
    }
  }

  /** Call it with each approval that was asked. One for a terminal that had ended before was asked in spite of that, and stays. */
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
