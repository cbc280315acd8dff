/** Needs: everything that waits for a person: approvals, questions, dialogs, passwords, confirmations, and unread failures. */

import type { Glance, Host } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import { type Clock, defined, TermError } from '@agentpty/protocol'
import type { Agents } from '@agentpty/protocol/agents'
import type { Approval, ApprovalQueue } from '@agentpty/protocol/approvals'
import { type Need, needsMax } from '@agentpty/protocol/needs'
import type { Question, Questions } from '@agentpty/protocol/questions'
import { Prompts } from './prompts.ts'
import { cut, type ScopedNeed, titleOf } from './scoped-need.ts'

export interface NeedSources {
  readonly clock: Clock
  readonly approvals: Pick<ApprovalQueue, 'list'>
  readonly questions: Pick<Questions, 'list'>
  readonly agents: Pick<Agents, 'glance'>
  readonly host: Pick<Host, 'seeFailure'>
}

export class Needs {
  readonly #sources: NeedSources
  readonly #prompts: Prompts
  #list: readonly ScopedNeed[] = []

  constructor(sources: NeedSources) {
    this.#sources = sources
    this.#prompts = new Prompts(sources.clock)
  }

  /** The needs of the last update, the newest last. */
  get list(): readonly ScopedNeed[] {
    return this.#list
  }

  update(glances: readonly Glance[]): void {
    const { approvals, questions } = this.#sources
    const sessions = new Map(glances.map(({ session }) => [session.info.id, session]))
    const open = approvals.list().filter(({ state }) => state === 'open')
    const asked = questions.list().flatMap((question) => this.#ofQuestion(question, sessions))
    const isAsked = new Set(asked.map(({ need }) => need.terminalId))
    // A person who has taken a terminal over sees its prompt already.
    const isTaken = (id: string | null) => id !== null && sessions.get(id)?.keyboard.lease.mayType === 'person'
    const prompts = this.#prompts
      .update(glances)
      .filter(({ need }) => !isAsked.has(need.terminalId) && !isTaken(need.terminalId))
    const wanted = glances.flatMap(({ session }) => ofWanted(session))
    const failures = glances.flatMap((glance) => this.#ofFailure(glance))
    const all = [...open.map((one) => ofApproval(one, sessions)), ...asked, ...wanted, ...prompts, ...failures]
    const list = all.toSorted((one, other) => one.need.since - other.need.since).slice(-needsMax)
    const isSame =
      list.length === this.#list.length && list.every(({ need }, at) => isSameNeed(need, this.#list[at]?.need))
    if (!isSame) this.#list = list
  }

  /** A confirmation is still asked in just these words. */
  stillAsks(needId: string): boolean {
    return this.#prompts.stillAsks(needId)
  }

  /** Resolves when what programs ask has been read from their screens. */
  read(): Promise<void> {
    return this.#prompts.read()
  }

  /** Returns the terminal for which no person is wanted any more; null for a failure. Errors: `not_asking`. */
  dismiss(needId: string, isSeen: (scoped: ScopedNeed) => boolean, sessions: readonly Session[]): Session | null {
    const found = this.#list.find((one) => one.need.needId === needId && isSeen(one))
    const session = sessions.find(({ info }) => info.id === found?.need.terminalId)
    if (found?.need.kind === 'failure' && session !== undefined) {
      this.#sources.host.seeFailure(session)
      this.#list = this.#list.filter((one) => one !== found)
      return null
    }
    if (found?.need.kind === 'takeOver' && session !== undefined) return session
    if (found === undefined)
      throw new TermError('not_asking', `Nothing on the list has the id "${needId}".`, 'Look with agentpty needs.')
    const { kind, answerBy } = found.need
    throw new TermError('not_asking', `${needId} is no failure: it is a ${kind}.`, `Answer it with ${answerBy.verb}.`)
  }

  #ofQuestion(question: Question, sessions: ReadonlyMap<string, Session>): readonly ScopedNeed[] {
    const { questionId, terminalId, program, text, isSecret, cursor } = question
    const named = [...sessions.values()].find(({ info }) => info.name === terminalId)
    const session = sessions.get(terminalId) ?? named
    // A program that has printed since does not ask this any more.
    if (session === undefined || session.parsedTo !== cursor) return []
    const need: Need = {
      needId: questionId,
      kind: 'question',
      terminalId: session.info.id,
      title: titleOf(session),
      text: cut(text),
      since: this.#sources.clock.wall() - Math.max(0, this.#sources.clock.now() - lastChangeOf(session)),
      askedBy: cut(program),
      ...(isSecret ? { isSecret } : {}),
      answerBy: { verb: 'answer', input: { questionId }, answer: 'text' },
    }
    const known = this.#list.find((one) => one.need.needId === questionId)?.need
    return [{ need: { ...need, since: known?.since ?? Math.round(need.since) }, scope: session.info.scope }]
  }

  #ofFailure({ session, since, verdict }: Glance): readonly ScopedNeed[] {
    const { info, exit, exitedAt, followers } = session
    if (exit === null || verdict?.state !== 'exited' || info.isFailureSeen) return []
    const agent = this.#sources.agents.glance(info.id)
    // An agent reads the result of a program that it started; the exit code of a shell says little.
    if (agent === null && (info.parent !== null || info.shell !== null)) return []
    if (!hasFailed(exit)) return []
    if (followers.lookedAt >= exitedAt) {
      this.#sources.host.seeFailure(session)
      return []
    }
    const needId = `${info.id}-ended`
    const how = exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`
    const need: Need = {
      needId,
      kind: 'failure',
      terminalId: info.id,
      title: titleOf(session),
      text: `It has ended ${how}.`,
      since,
      ...defined({ askedBy: agent?.type }),
      answerBy: { verb: 'dismiss', input: { needId }, answer: null },
    }
    return [{ need, scope: info.scope }]
  }
}

function ofWanted(session: Session): readonly ScopedNeed[] {
  const { id, wanted, scope } = session.info
  if (wanted === null || session.exit !== null) return []
  const need: Need = {
    needId: `${id}-take-${wanted.since}`,
    kind: 'takeOver',
    terminalId: id,
    title: titleOf(session),
    text: cut(wanted.reason),
    since: wanted.since,
    askedBy: cut(wanted.by),
    answerBy: { verb: 'take', input: { terminalId: id }, answer: null },
  }
  return [{ need, scope }]
}

/** Signals of an end on request, which is no failure. */
const ended = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])
const interruptedCode = 130

function hasFailed({ code, signal }: { readonly code: number | null; readonly signal: string | null }): boolean {
  if (signal !== null) return !ended.has(signal)
  return code !== 0 && code !== interruptedCode
}

function ofApproval(approval: Approval, sessions: ReadonlyMap<string, Session>): ScopedNeed {
  const { approvalId, terminalId, text, reason, effects, askedAt, client, through, chain } = approval
  const session = terminalId === null ? undefined : sessions.get(terminalId)
  const need: Need = {
    needId: approvalId,
    kind: 'approval',
    terminalId,
    title: session === undefined ? cut(through.at(-1) ?? chain.at(-1) ?? client) : titleOf(session),
    text: cut([...effects.map((effect) => `→ ${effect}`), text.trim(), reason].join('\n')),
    options: ['allow', 'deny'],
    since: askedAt,
    askedBy: cut(client),
    answerBy: { verb: 'decide', input: { approvalId }, answer: 'answer' },
  }
  return { need, scope: approval.scope ?? session?.info.scope ?? null }
}

const lastChangeOf = ({ program, turn }: Session): number => Math.max(program.lastInputAt, turn().verdict.since)

function isSameNeed(one: Need, other: Need | undefined): boolean {
  if (other === undefined || one.needId !== other.needId || one.text !== other.text || one.title !== other.title)
    return false
  return one.kind === other.kind && one.options?.join('\n') === other.options?.join('\n')
}
