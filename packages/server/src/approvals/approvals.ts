/** The approvals that wait for a person, and those that were answered lately. One answer has one effect. */

import {
  type Clock,
  changeBefore,
  invalidInput,
  limitReached,
  type Millis,
  type Stop,
  TermError,
} from '@agentpty/protocol'
import {
  type Answer,
  type Approval,
  type ApprovalAnswer,
  type ApprovalChanged,
  type ApprovalQueue,
  type ApprovalRequest,
  type AskOptions,
  answersBeforeOffer,
  approvalKeptMs,
  approvalsAnsweredMax,
  approvalsMax,
  type Ended,
  type Grant,
  type GrantChoice,
  grantMs,
  grantMsMax,
  type KeptApproval,
  KeptApprovals,
  type Wish,
} from '@agentpty/protocol/approvals'
import { privateJsonFile } from '../files/index.ts'
import { isGrantable, type KeptGrants, noGrants, offerOf, used, withGrant, withoutGrant } from './grants.ts'

/** Keeps them from one server to the next. */
export interface ApprovalStore {
  /** The newest last; empty when there are none. */
  readonly load: () => KeptApprovals
  readonly save: (kept: KeptApprovals) => void
}

export const inMemory: ApprovalStore = { load: () => ({ last: 0, approvals: [], grants: noGrants }), save: () => {} }

/** A page on a slow machine or line needs some seconds until it looks again. One that leaves ends its look, and is not waited for. */
const againMs = 10_000

export class Approvals implements ApprovalQueue {
  readonly #clock: Clock
  readonly #store: ApprovalStore
  #last: number
  /** By id, the oldest first. */
  #approvals: readonly KeptApproval[]
  #grants: KeptGrants
  readonly #listeners = new Set<() => void>()
  readonly #changeListeners: ApprovalChanged[] = []
  #stopTimer: Stop | null = null
  #watchers = 0
  /** A client that got a change looks for the next one a moment later. */
  #watchedUntil: Millis = 0

  constructor(clock: Clock, store: ApprovalStore = inMemory) {
    this.#clock = clock
    this.#store = store
    const { last, approvals, grants } = store.load()
    this.#last = last
    this.#grants = grants
    this.#approvals = approvals
    this.#expireLater()
  }

  get isWatched(): boolean {
    return this.#watchers > 0 || this.#clock.now() < this.#watchedUntil
  }

  /** Calls the listener with each approval that is requested, answered or ended, in the order of registration. */
  onChange(listener: ApprovalChanged): void {
    this.#changeListeners.push(listener)
  }

  list(): readonly Approval[] {
    return this.#approvals.map(shown)
  }

  ask(
    key: string,
    requested: () => ApprovalRequest,
    { keptMs = approvalKeptMs, wish, mcpClient }: AskOptions = {},
  ): Approval {
    const same = this.#open().find((approval) => approval.key === key)
    if (same !== undefined) return same
    if (this.#open().length >= approvalsMax)
      throw limitReached(
        `${approvalsMax} approvals wait for a person.`,
        'Let some be answered first: agentpty approvals',
      )
    const request = requested()
    const askedAt = this.#clock.wall()
    this.#last += 1
    const times = { askedAt, expiresAt: askedAt + keptMs }
    const offer = wish?.words !== undefined && wish.words !== null && isGrantable(wish.words) ? offerOf(wish) : null
    const news = newsOf({ ...request, offer }, this.#approvals, askedAt)
    const approval: KeptApproval = {
      approvalId: `ap-${this.#last}`,
      state: 'open',
      ...times,
      ...request,
      news,
      offer,
      answeredBy: null,
      key,
      mcpClient: mcpClient ?? null,
      isSpent: false,
      answeredAt: null,
    }
    this.#keep([...this.#approvals, approval])
    this.#changed(approval)
    return approval
  }

  answerTo(key: string): ApprovalAnswer | null {
    const found = this.#approvals.findLast((approval) => approval.key === key && this.#counts(approval))
    if (found === undefined) return null
    const { approvalId } = found
    if (found.state === 'allowed') this.#replace({ ...found, isSpent: true })
    return { approvalId, state: found.state === 'allowed' ? 'allowed' : 'denied' }
  }

  decide(approvalId: string, { isAllowed, by, grant }: Answer): Approval {
    const found = this.#approvals.find((approval) => approval.approvalId === approvalId)
    if (found?.state !== 'open') throw notAsked(approvalId, found ?? null)
    if (grant !== undefined) this.#grants = this.#granting(found, grant, { isAllowed, by })
    const state = isAllowed ? 'allowed' : 'denied'
    const decided: KeptApproval = { ...found, state, answeredBy: by, answeredAt: this.#clock.wall() }
    this.#replace(decided)
    this.#changed(decided)
    return shown(decided)
  }

  get asking(): readonly string[] {
    return this.#open().flatMap(({ mcpClient }) => mcpClient ?? [])
  }

  withdrawFrom(ended: Ended): void {
    this.#endOpen('withdrawn', (one) => {
      if ('approvalId' in ended) return one.approvalId === ended.approvalId
      return 'client' in ended ? one.mcpClient === ended.client : terminalOf(one) === ended.terminalId
    })
  }

  grantedTo(wish: Wish): Grant | null {
    const found = used(this.#grants, wish, this.#clock.wall())
    if (found === null) return null
    this.#keep(this.#approvals, found[1])
    return found[0]
  }

  grants(): readonly Grant[] {
    return this.#grants.grants.filter(({ expiresAt }) => this.#clock.wall() < expiresAt)
  }

  revoke(grantId: string): Grant {
    const [grant, left] = withoutGrant(this.#grants, grantId, this.#clock.wall())
    this.#keep(this.#approvals, left)
    return grant
  }

  async watched(latest: Millis, signal?: AbortSignal): Promise<boolean> {
    this.#watchers++
    const isChanged = await this.changed(latest, signal)
    this.#watchers--
    if (signal?.aborted !== true) this.#watchedUntil = this.#clock.now() + againMs
    return isChanged
  }

  changed(latest: Millis, signal?: AbortSignal): Promise<boolean> {
    return changeBefore(this.#listeners, { clock: this.#clock, latest, signal })
  }

  #changed(approval: Approval): void {
    for (const listener of this.#changeListeners) listener(approval)
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
    this.#endOpen('expired', ({ expiresAt }) => expiresAt <= wall)
  }

  #endOpen(state: 'expired' | 'withdrawn', isOver: (approval: KeptApproval) => boolean): void {
    const ended = new Map(this.#open().flatMap((one) => (isOver(one) ? [[one, { ...one, state }]] : [])))
    if (ended.size > 0 || state === 'expired') this.#keep(this.#approvals.map((one) => ended.get(one) ?? one))
    for (const one of ended.values()) this.#changed(one)
  }

  #replace(changed: KeptApproval): void {
    this.#keep(this.#approvals.map((one) => (one.approvalId === changed.approvalId ? changed : one)))
  }

  #granting(
    { approvalId, offer, rule, terminalId, cwd }: Approval,
    { where, command, forMs = grantMs }: GrantChoice,
    { isAllowed, by }: Answer,
  ): KeptGrants {
    const granted = offer?.[command] ?? null
    if (!isAllowed || granted === null || (where === 'terminal' && terminalId === null))
      throw notOffered(approvalId, offer === null ? 'once only' : 'not in this way')
    const wall = this.#clock.wall()
    const expiresAt = wall + Math.min(forMs, grantMsMax)
    const place = { terminalId: where === 'terminal' ? terminalId : null, cwd }
    return withGrant(this.#grants, { command: granted, rule, ...place, expiresAt, grantedBy: by, approvalId }, wall)
  }

  #keep(approvals: readonly KeptApproval[], grants: KeptGrants = this.#grants): void {
    this.#grants = grants
    const answered = approvals.filter(({ state }) => state !== 'open')
    const dropped = new Set(answered.slice(0, Math.max(0, answered.length - approvalsAnsweredMax)))
    this.#approvals = approvals.filter((one) => !dropped.has(one))
    this.#store.save({ last: this.#last, approvals: this.#approvals, grants })
    this.#expireLater()
    for (const listener of [...this.#listeners]) listener()
  }
}

/** The terminal whose end withdraws it: the one it is for, or the one that would open another. */
export function terminalOf({ terminalId, chain }: Approval): string | null {
  return terminalId ?? chain.at(-1) ?? null
}

function shown(kept: KeptApproval): Approval {
  const { key: _key, mcpClient: _mcpClient, isSpent: _isSpent, answeredAt: _answeredAt, ...approval } = kept
  return approval
}

function notOffered(approvalId: string, how: string): TermError {
  return invalidInput(
    `${approvalId} can be allowed ${how}.`,
    'A grant is for one plain command: allow it once, or write a rule into config.yaml.',
  )
}

const endWords: Partial<Record<Approval['state'], string>> = {
  expired: 'it was not answered in time',
  withdrawn: 'the client, the terminal or the program that asked has ended',
}

function notAsked(approvalId: string, found: Approval | null): TermError {
  const open = 'See what is open: agentpty approvals'
  if (found === null) return new TermError('not_asking', `There is no approval ${approvalId}.`, open)
  const how = endWords[found.state] ?? `${found.answeredBy} has ${found.state} it already`
  return new TermError('not_asking', `${approvalId} is not open any more: ${how}.`, open)
}

type Earlier = Approval & Pick<KeptApproval, 'answeredAt'>
type Question = Pick<Approval, 'rule' | 'cwd' | 'resolved' | 'offer'>

/** The history of a question: how often similar calls were asked about before, and the answers. */
function newsOf(question: Question, before: readonly Earlier[], now: number): string {
  const answered = before.filter((one) => isLike(one, question) && (one.state === 'allowed' || one.state === 'denied'))
  if (answered.length === 0) return 'The first of its kind in this folder.'
  const allowed = answered.filter(({ state }) => state === 'allowed').length
  const counts = [
    ...(allowed === 0 ? [] : [`allowed ${times(allowed)}`]),
    ...(allowed === answered.length ? [] : [`denied ${times(answered.length - allowed)}`]),
  ]
  const said = `The like was ${counts.join(' and ')} here before, last ${ago(now - Math.max(...answered.map(answeredAtOf)))} ago.`
  return allowed === answered.length && allowed >= answersBeforeOffer && question.offer !== null
    ? `${said} To be asked no more: answer with --in folder${question.offer.like === null ? '' : ' --like'}.`
    : said
}

const answeredAtOf = ({ answeredAt, askedAt }: Earlier): number => answeredAt ?? askedAt

function isLike(one: Approval, { rule, cwd, resolved, offer }: Question): boolean {
  if (one.rule !== rule || one.cwd !== cwd) return false
  return offer === null || one.offer === null ? one.resolved === resolved : kindOf(one.offer) === kindOf(offer)
}

const kindOf = ({ same, like }: NonNullable<Approval['offer']>) => like ?? same

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

function ago(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

// The approvals of an instance, in a file of its own: they outlive the daemon.

const advice = 'Make it readable, or remove it: what waits for a person is asked again.'

/** A broken file counts as none, and allows nothing. Errors: `machine_unfit`, on a full disk say; then nothing is allowed either. */
export function approvalsFile(path: string): ApprovalStore {
  const { read, write } = privateJsonFile<KeptApprovals>(path, { schema: KeptApprovals, advice, setAside: null })
  return { load: () => read() ?? inMemory.load(), save: write }
}
