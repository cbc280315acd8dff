/** The approvals that wait for a person, and those that were answered lately. One answer has one effect. */

import type { Approval, ApprovalRequest, KeptApproval, KeptApprovals } from '../../contracts/approvals/approval.ts'
import type { ApprovalQueue } from '../../contracts/approvals/approval-queue.ts'
import { TermError } from '../../contracts/errors.ts'
import { approvalKeptMs, approvalsAnsweredMax, approvalsMax } from '../../contracts/limits.ts'
import type { Clock, Stop } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'

/** Keeps them from one server to the next. */
export interface ApprovalStore {
  /** The newest last; empty when there are none. */
  readonly load: () => KeptApprovals
  readonly save: (kept: KeptApprovals) => void
}

export const inMemory: ApprovalStore = { load: () => ({ last: 0, approvals: [] }), save: () => {} }

const againMs = 2_000

export class Approvals implements ApprovalQueue {
  readonly #clock: Clock
  readonly #store: ApprovalStore
  #last: number
  /** By id, the oldest first. */
  #approvals: readonly KeptApproval[]
  readonly #listeners = new Set<() => void>()
  #stopTimer: Stop | null = null
  #watchers = 0
  /** Whoever has been told of a change asks for the next one a moment later. */
  #watchedUntil: Millis = 0

  constructor(clock: Clock, store: ApprovalStore = inMemory) {
    this.#clock = clock
    this.#store = store
    const { last, approvals } = store.load()
    this.#last = last
    this.#approvals = approvals
    this.#expireLater()
  }

  get isWatched(): boolean {
    return this.#watchers > 0 || this.#clock.now() < this.#watchedUntil
  }

  list(): readonly Approval[] {
    return this.#approvals.map(({ key: _key, isSpent: _isSpent, ...approval }) => approval)
  }

  ask(key: string, request: ApprovalRequest, keptMs: Millis = approvalKeptMs): Approval {
    const same = this.#open().find((approval) => approval.key === key)
    if (same !== undefined) return same
    if (this.#open().length >= approvalsMax)
      throw new TermError(
        'limit_reached',
        `${approvalsMax} approvals wait for a person.`,
        'Let some be answered first: agentpty approvals',
      )
    const askedAt = this.#clock.wall()
    this.#last += 1
    const times = { askedAt, expiresAt: askedAt + keptMs }
    const approval: KeptApproval = {
      ...{ approvalId: `ap-${this.#last}`, state: 'open', ...times, ...request, answeredBy: null },
      ...{ key, isSpent: false },
    }
    this.#keep([...this.#approvals, approval])
    return approval
  }

  answerTo(key: string): 'allowed' | 'denied' | null {
    const found = this.#approvals.findLast((approval) => approval.key === key && this.#counts(approval))
    if (found === undefined) return null
    if (found.state === 'allowed') this.#replace({ ...found, isSpent: true })
    return found.state === 'allowed' ? 'allowed' : 'denied'
  }

  decide(approvalId: string, { isAllowed, by }: { readonly isAllowed: boolean; readonly by: string }): Approval {
    const found = this.#approvals.find((approval) => approval.approvalId === approvalId)
    if (found?.state !== 'open') throw notAsked(approvalId, found ?? null)
    const decided: KeptApproval = { ...found, state: isAllowed ? 'allowed' : 'denied', answeredBy: by }
    this.#replace(decided)
    return decided
  }

  async watched(latest: Millis, signal?: AbortSignal): Promise<boolean> {
    this.#watchers++
    const isChanged = await this.changed(latest, signal)
    this.#watchers--
    if (signal?.aborted !== true) this.#watchedUntil = this.#clock.now() + againMs
    return isChanged
  }

  changed(latest: Millis, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isChanged: boolean) => {
        cancelTimer()
        signal?.removeEventListener('abort', abort)
        this.#listeners.delete(change)
        resolve(isChanged)
      }
      const change = () => settle(true)
      const abort = () => settle(false)
      const cancelTimer: Stop = this.#clock.callAt(latest, abort)
      signal?.addEventListener('abort', abort)
      this.#listeners.add(change)
      if (signal?.aborted === true) abort()
    })
  }

  #open(): readonly KeptApproval[] {
    return this.#approvals.filter(({ state }) => state === 'open')
  }

  #counts({ state, isSpent, expiresAt }: KeptApproval): boolean {
    return !isSpent && (state === 'allowed' || state === 'denied') && this.#clock.wall() < expiresAt
  }

  /** With its server: nothing of it keeps a program alive. */
  dispose(): void {
    this.#stopTimer?.()
    this.#stopTimer = null
  }

  /** When the first of those that are open is over. */
  #expireLater(): void {
    this.dispose()
    const first = Math.min(...this.#open().map(({ expiresAt }) => expiresAt))
    if (first === Number.POSITIVE_INFINITY) return
    const at = this.#clock.now() + Math.max(0, first - this.#clock.wall())
    this.#stopTimer = this.#clock.callAt(at, () => this.#expire())
  }

  #expire(): void {
    const wall = this.#clock.wall()
    const isOver = ({ state, expiresAt }: KeptApproval) => state === 'open' && expiresAt <= wall
    this.#keep(this.#approvals.map((one) => (isOver(one) ? { ...one, state: 'expired' } : one)))
  }

  #replace(changed: KeptApproval): void {
    this.#keep(this.#approvals.map((one) => (one.approvalId === changed.approvalId ? changed : one)))
  }

  #keep(approvals: readonly KeptApproval[]): void {
    const answered = approvals.filter(({ state }) => state !== 'open')
    const dropped = new Set(answered.slice(0, Math.max(0, answered.length - approvalsAnsweredMax)))
    this.#approvals = approvals.filter((one) => !dropped.has(one))
    this.#store.save({ last: this.#last, approvals: this.#approvals })
    this.#expireLater()
    for (const listener of [...this.#listeners]) listener()
  }
}

function notAsked(approvalId: string, found: Approval | null): TermError {
  const open = 'See what is open: agentpty approvals'
  if (found === null) return new TermError('not_asking', `There is no approval ${approvalId}.`, open)
  const how =
    found.state === 'expired' ? 'nobody answered in time' : `${found.answeredBy} has ${found.state} it already`
  return new TermError('not_asking', `${approvalId} is not open any more: ${how}.`, open)
}
