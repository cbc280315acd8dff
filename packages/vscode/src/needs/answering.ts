/**
 * Answers requests to a person in lists and fields of the editor, with the same words and effects as elsewhere. Enter alone allows nothing,
 * and no answer counts in the first half second of a question.
 */

import { type Clock, isTermError } from '@agentpty/protocol'
import type { Approval } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import {
  approvalQuestion,
  approvalText,
  type Decision,
  grantOf,
  grantQuestion,
  grantSteps,
  isShownWhole,
} from './approval-question.ts'
import { type Given, isShow, questionOf, show } from './questions.ts'
import { type Question, SteadyInput, SteadyPick, type TypedText } from './steady-pick.ts'

export interface AnsweringParts {
  readonly client: () => WireClient | null
  readonly overview: Observable<Overview | null>
  readonly clock: Clock
  /** Shows the terminal without focus: input belongs to the question only. */
  readonly show: (terminalId: string) => void
  /** Shows text beside the question, to be read only. */
  readonly read: (title: string, text: string) => void
}

/** The duration of a notice about an outcome. */
const noticeMs = 5_000

export class Answering {
  readonly #parts: AnsweringParts

  constructor(parts: AnsweringParts) {
    this.#parts = parts
  }

  /** Asks the person and sends the answer. A dismissed question sends nothing. */
  async ask(need: Need): Promise<void> {
    // A notification may stay on the screen until the person closes it.
    if (!isOpen(this.#parts.overview.peek(), need)) return showLate(need)
    if (need.kind !== 'approval') this.#show(need)
    const given = need.kind === 'approval' ? await this.#decision(need) : await this.#answer(need)
    if (given === undefined) return
    if (isShow(given)) this.#show(need)
    else await this.#send(need, given)
  }

  /** Asks for one of the open requests first; the only one needs no choice. */
  async askOne(): Promise<void> {
    const needs = this.#parts.overview.peek()?.needs ?? []
    const [first] = needs
    if (first === undefined) return void vscode.window.showInformationMessage('Nothing needs you.')
    if (needs.length === 1) return this.ask(first)
    const pick = new SteadyPick<Need>(this.#parts.clock)
    pick.ask(questionOf.all(needs))
    const chosen = await pick.answer()
    if (chosen !== undefined) await this.ask(chosen)
  }

  #show({ terminalId }: Need): void {
    if (terminalId !== null) this.#parts.show(terminalId)
  }

  async #send(need: Need, { answer: given, more = {}, isDismissed, said }: Given): Promise<void> {
    const client = this.#parts.client()
    // The window may be connected to another machine by now.
    if (!isOpen(this.#parts.overview.peek(), need)) return showLate(need)
    if (client === null)
      return void vscode.window.showWarningMessage('agentpty is not connected. Nothing was answered.')
    const { verb, input, answer } = need.answerBy
    const waits = verb === 'send' || verb === 'answer' ? { waitFor: 'none' } : {}
    const whole = { ...input, ...waits, ...more, ...(answer === null || given === null ? {} : { [answer]: given }) }
    try {
      if (isDismissed === true) await client.call('dismiss', { needId: need.needId })
      else await client.call(verb, whole as VerbInput<typeof verb>)
      vscode.window.setStatusBarMessage(`${need.title}: ${said}`, noticeMs)
    } catch (error) {
      if (isTermError(error) && error.code === 'not_asking') showLate(need)
      else void vscode.window.showWarningMessage(wordsOf(error))
    }
  }

  #answer(need: Need): Promise<Given | typeof show | undefined> {
    const { kind, text, title, isSecret = false } = need
    if (kind !== 'question' && kind !== 'password') return this.#choose(need, questionOf.need)
    const password = isSecret || kind === 'password'
    const prompt = password ? 'It is hidden, not stored, and not visible to any model.' : title
    const input = new SteadyInput(this.#parts.clock, { title: text, prompt, password })
    return this.#whileOpen(need, input, async () => {
      const answer = await input.answer()
      return answer === undefined ? undefined : { answer, said: 'Typed.' }
    })
  }

  /** Asks until there is a decision: parts of the question lead back to it. */
  async #decision(need: Need): Promise<Given | typeof show | undefined> {
    const approval = await this.#approvalOf(need)
    const readAll = () => approval !== null && this.#parts.read(`${need.title} wants approval`, approvalText(approval))
    // Nothing is allowed unseen.
    if (approval !== null && !isShownWhole(approval)) readAll()
    for (;;) {
      const decision = await this.#choose<Decision>(need, (now) => approvalQuestion(now, approval), 'ignored')
      if (decision === 'all') readAll()
      else if (decision === 'grant') {
        const grant = approval === null ? undefined : await this.#grant(need, approval)
        if (grant !== undefined) return { answer: 'allow', more: { grant }, said: 'Allowed from now on.' }
      } else return decision === undefined ? undefined : outcomes[decision]
      if (!isOpen(this.#parts.overview.peek(), need)) return undefined
    }
  }

  /** Undefined if the person goes back. */
  async #grant(need: Need, approval: Approval) {
    const chosen: unknown[] = []
    for (const step of grantSteps(approval)) {
      const question = grantQuestion(step, approval, chosen)
      const given = await this.#choose(need, () => question, 'ignored')
      if (given === undefined || given.chosen === null) return undefined
      chosen.push(given.chosen)
    }
    return grantOf(chosen)
  }

  async #approvalOf({ needId }: Need): Promise<Approval | null> {
    const { approvals } = (await this.#parts.client()?.call('approvals', {})) ?? { approvals: [] }
    return approvals.find(({ approvalId }) => approvalId === needId) ?? null
  }

  /** Asks again whenever the words of the need change. */
  #choose<Value>(
    need: Need,
    question: (need: Need) => Question<Value>,
    typed: TypedText = 'filters',
  ): Promise<Value | undefined> {
    const pick = new SteadyPick<Value>(this.#parts.clock, typed)
    pick.ask(question(need))
    const changed = (now: Need) => pick.ask(question(now))
    return this.#whileOpen(need, pick, () => pick.answer(), changed)
  }

  /** Closes what is shown once the need is answered elsewhere. */
  async #whileOpen<Value>(
    need: Need,
    shown: { close(): void },
    answer: () => Promise<Value>,
    changed: (need: Need) => void = () => {},
  ): Promise<Value> {
    let current = need
    const answered = answer()
    const stop = this.#parts.overview.subscribe((overview) => {
      const now = overview === null ? current : overview.needs.find(({ needId }) => needId === need.needId)
      if (now === undefined) {
        vscode.window.setStatusBarMessage(lateWords(need), noticeMs)
        shown.close()
      } else if (!isSameQuestion(now, current)) {
        current = now
        changed(now)
      }
    })
    return answered.finally(stop)
  }
}

/** The answers that the decisions send. */
const outcomes: Readonly<Record<Exclude<Decision, 'all' | 'grant'>, Given | typeof show>> = {
  show,
  deny: { answer: 'deny', said: 'Denied.' },
  denyAndEndJob: { answer: 'deny', more: { endJob: true }, said: 'Denied, and its job ended.' },
  allow: { answer: 'allow', said: 'Allowed once.' },
}

const lateWords = ({ title }: Need): string => `${title} does not ask that any more: it was answered elsewhere.`

function showLate(need: Need): void {
  void vscode.window.showWarningMessage(lateWords(need))
}

/** Without an overview, a request is assumed to be open. */
const isOpen = (overview: Overview | null, { needId }: Need): boolean =>
  overview === null || overview.needs.some((one) => one.needId === needId)

const isSameQuestion = (one: Need, other: Need): boolean =>
  one.text === other.text && one.options?.join('\n') === other.options?.join('\n')
