/** Turns the open questions of gates into approvals, and the answers of persons into those of the gates. */

import type { Host } from '@agentpty/engine/host'
import { chainTo, inWords } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import { type Clock, isTermError } from '@agentpty/protocol'
import { type Approval, type ApprovalRequest, shownText, type Wish } from '@agentpty/protocol/approvals'
import type { EffectQuestion, GateMessage } from '@agentpty/protocol/effects'
import type { Approvals } from '../approvals/index.ts'
import { effectOf, isAboutAll, reasonOf, wantedBy } from './question-words.ts'

interface EffectApprovalsOptions {
  readonly host: Host
  readonly approvals: Approvals
  readonly clock: Clock
  readonly log: (text: string) => void
}

interface Asked {
  readonly session: Session
  readonly question: EffectQuestion
  readonly key: string
}

export class EffectApprovals {
  readonly #options: EffectApprovalsOptions
  /** By the id of the approval, while it is open. */
  readonly #asked = new Map<string, Asked>()

  constructor(options: EffectApprovalsOptions) {
    this.#options = options
    const { host, approvals } = options
    host.onGateReport((session, message) => this.#reported(session, message))
    approvals.onChange((approval) => this.#changed(approval))
    // What was asked while no daemon ran, and what the one before has not passed on.
    for (const session of host.sessions) if (session.info.gate.state === 'ask') session.answerGate({ kind: 'list' })
  }

  /** Ends the job whose question this approval is. */
  endJob(approvalId: string): void {
    const asked = this.#asked.get(approvalId)
    if (asked === undefined || asked.question.verb === 'anything') return
    try {
      process.kill(-asked.question.group, 'SIGTERM')
    } catch {
      // It has ended by itself.
    }
  }

  #reported(session: Session, message: GateMessage): void {
    if (message.kind !== 'asks') return
    if (message.answer === 'open') this.#ask(session, message)
    else session.heldCalls.remove(message.id)
    if (message.answer === 'withdrawn') this.#withdraw(session, message)
  }

  #withdraw(session: Session, { id }: EffectQuestion): void {
    for (const [approvalId, asked] of [...this.#asked])
      if (asked.session === session && asked.question.id === id) this.#options.approvals.withdrawFrom({ approvalId })
  }

  #ask(session: Session, question: EffectQuestion): void {
    const { approvals } = this.#options
    const key = `gate ${session.info.id} ${question.id}`
    const known = approvals.answerTo(key)
    const wish = wishOf(session, question)
    const isAllowed = known === null ? approvals.grantedTo(wish) !== null : known.state === 'allowed'
    if (known !== null || isAllowed) {
      answer(session, question, isAllowed)
      return
    }
    try {
      const approval = approvals.ask(key, () => this.#requestOf(session, question), {
        keptMs: question.leftMs,
        wish,
        ...(session.info.mcpClient === null ? {} : { mcpClient: session.info.mcpClient }),
      })
      this.#asked.set(approval.approvalId, { session, question, key })
      session.heldCalls.add(question.id, { approvalId: approval.approvalId, what: whatFor(approval) })
    } catch (error) {
      // Too many approvals are open: the call fails at its deadline, as without an answer.
      if (!isTermError(error)) throw error
      this.#options.log(`${session.info.id}: ${error.message}`)
    }
  }

  #changed({ approvalId, state }: Approval): void {
    const asked = this.#asked.get(approvalId)
    if (asked === undefined || state === 'open') return
    const { session, question, key } = asked
    session.heldCalls.remove(question.id)
    this.#asked.delete(approvalId)
    if (state !== 'allowed' && state !== 'denied') return
    // It counts once.
    this.#options.approvals.answerTo(key)
    answer(session, question, state === 'allowed')
  }

  #requestOf(session: Session, question: EffectQuestion): ApprovalRequest {
    const { host, clock } = this.#options
    const { id, createdBy, scope, cwd } = session.info
    const chain = chainTo(host, id)
    const wanted = wantedBy(question)
    return {
      client: createdBy,
      scope,
      chain: [...chain],
      through: [...inWords(host, chain)],
      terminalId: id,
      cwd,
      action: 'run',
      text: shownText(question.command, commandMax),
      resolved: wanted,
      rule: 'effects',
      reason: reasonOf(question),
      effects: [effectOf(question, () => clock.now())],
    }
  }
}

const commandMax = 300

function answer(session: Session, { id }: EffectQuestion, isAllowed: boolean): void {
  session.answerGate({ kind: 'answer', id, answer: isAllowed ? 'allow' : 'deny' })
}

/** For one effect below one area, in the terminal’s folder; what stands for all is allowed once only. */
function wishOf({ info }: Session, question: EffectQuestion): Wish {
  const words = isAboutAll(question) ? null : [question.verb, question.area]
  return { rule: 'effects', words, isBounded: false, terminalId: info.id, cwd: info.cwd }
}

const whatFor = ({ approvalId, resolved, effects }: Approval) =>
  `${resolved} (${effects.join('; ')}). A person is asked as ${approvalId}; until then the call is held. Wait for the answer with terminal_wait, give up with ctrl+c, or do it another way.`
