/** Answers requests to a person in the editor's own dialogs, with the same texts and effects as elsewhere. */

import { isTermError } from '@agentpty/protocol'
import type { GrantChoice } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { wordsOf } from '../terminals/session-terminal.ts'

export interface AnsweringParts {
  readonly client: () => WireClient | null
  readonly overview: Observable<Overview | null>
  /** Shows the terminal without focus: input belongs to the dialog only. */
  readonly show: (terminalId: string) => void
}

export class Answering {
  readonly #parts: AnsweringParts

  constructor(parts: AnsweringParts) {
    this.#parts = parts
  }

  /** Asks the person and sends the answer. A dismissed dialog sends nothing. */
  async ask(need: Need): Promise<void> {
    // A notification may stay on the screen until the person closes it.
    if (!isOpen(this.#parts.overview.peek(), need)) return showLate(need)
    if (need.terminalId !== null && need.kind !== 'approval') this.#parts.show(need.terminalId)
    const gone = new vscode.CancellationTokenSource()
    const stop = this.#parts.overview.subscribe((now) => isOpen(now, need) || gone.cancel())
    try {
      const given = await this.#given(need, gone.token)
      if (given !== undefined) await this.answer(need, given.answer, given.more)
    } finally {
      stop()
      gone.dispose()
    }
  }

  /** `given`: null if the verb takes no answer. `more`: further input of the verb. */
  async answer(need: Need, given: string | null, more: Given['more'] = {}): Promise<void> {
    const client = this.#parts.client()
    // The window may be connected to another machine by now.
    if (!isOpen(this.#parts.overview.peek(), need)) return showLate(need)
    if (client === null)
      return void vscode.window.showWarningMessage('agentpty is not connected. Nothing was answered.')
    const { verb, input, answer } = need.answerBy
    const waits = verb === 'send' || verb === 'answer' ? { waitFor: 'none' } : {}
    const whole = { ...input, ...waits, ...more, ...(answer === null || given === null ? {} : { [answer]: given }) }
    try {
      await client.call(verb, whole as VerbInput<typeof verb>)
    } catch (error) {
      if (isTermError(error) && error.code === 'not_asking') showLate(need)
      else void vscode.window.showWarningMessage(wordsOf(error))
    }
  }

  /** `gone`: cancelled once the request is no longer open, which closes the dialogs that can be closed. */
  async #given(need: Need, gone: vscode.CancellationToken): Promise<Given | undefined> {
    if (need.kind === 'approval') return this.#decision(need)
    const answer = await this.#answer(need, gone)
    return answer === undefined ? undefined : { answer }
  }

  #answer(need: Need, gone: vscode.CancellationToken): Promise<string | null | undefined> {
    const { kind, text, title, options = [], isSecret = false } = need
    if (kind === 'takeOver') return choice(`${title} asks you to take over`, text, [['Take Over', null]])
    if (kind === 'failure') return choice(title, text, [['Dismiss', null]])
    if (kind === 'dialog' || kind === 'confirmation') return picked(options, `${title}: ${text}`, gone)
    const password = isSecret || kind === 'password'
    const prompt = password ? 'It is hidden, not stored, and not visible to any model.' : title
    return asPromise(vscode.window.showInputBox({ title: text, prompt, password, ignoreFocusOut: true }, gone))
  }

  /** Shows all of the text, so that nothing is approved unseen. */
  async #decision({ needId, title, text, askedBy }: Need): Promise<Given | undefined> {
    const { approvals } = (await this.#parts.client()?.call('approvals', {})) ?? { approvals: [] }
    const approval = approvals.find(({ approvalId }) => approvalId === needId)
    const detail =
      approval === undefined
        ? text
        : [approval.text.trim(), '', ...approval.effects, approval.reason, `in ${approval.cwd}`].join('\n')
    const asks = `${askedBy ?? title} asks to do this in ${title}`
    const choices: (readonly [string, Given])[] = [
      ['Deny', { answer: 'deny' }],
      ['Allow Once', { answer: 'allow' }],
    ]
    // What a gate holds.
    if (approval?.rule === 'effects') choices.push(['Deny and End the Job', { answer: 'deny', more: { endJob: true } }])
    if (approval?.rule === 'effects' && approval.offer !== null)
      choices.push(['Allow Here for 7 Days', { answer: 'allow', more: { grant: sevenDays } }])
    return choice(asks, detail, choices)
  }
}

interface Given {
  readonly answer: string | null
  readonly more?: { readonly endJob?: true; readonly grant?: GrantChoice }
}

const sevenDays: GrantChoice = { command: 'same', where: 'folder', forMs: 7 * 24 * 60 * 60 * 1_000 }

/** Enter chooses the first answer, so the first answer allows nothing. */
async function choice<Given>(
  message: string,
  detail: string,
  answers: readonly (readonly [label: string, given: Given])[],
): Promise<Given | undefined> {
  const options = { modal: true, detail }
  const chosen = await vscode.window.showWarningMessage(message, options, ...answers.map(([label]) => label))
  return answers.find(([label]) => label === chosen)?.[1]
}

/** Enter chooses the first row, so the first row answers nothing. */
async function picked(
  options: readonly string[],
  title: string,
  gone: vscode.CancellationToken,
): Promise<string | undefined> {
  const asks = { title, placeHolder: 'Choose an answer', ignoreFocusOut: true }
  const given = await vscode.window.showQuickPick([answerLater, ...options], asks, gone)
  return given === answerLater ? undefined : given
}

const answerLater = 'Answer Later'

function showLate({ title }: Need): void {
  void vscode.window.showWarningMessage(`${title} does not ask that any more: it was answered elsewhere.`)
}

/** Without an overview, a request is assumed to be open. */
const isOpen = (overview: Overview | null, { needId }: Need): boolean =>
  overview === null || overview.needs.some((one) => one.needId === needId)

const asPromise = async <Value>(value: Thenable<Value>): Promise<Value> => value
