/** Answers to what needs a person, asked in the editor's own dialogs, in the words and with the effect that they have everywhere. */

import { isTermError } from '@agentpty/protocol'
import type { Need } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Held } from '../link/held.ts'
import { wordsOf } from '../terminals/session-terminal.ts'

export interface AnsweringParts {
  readonly client: () => WireClient | null
  readonly overview: Held<Overview | null>
  /** Without the keyboard, which is for the dialog: what is typed there goes nowhere else. */
  readonly show: (terminalId: string) => void
}

export class Answering {
  readonly #parts: AnsweringParts

  constructor(parts: AnsweringParts) {
    this.#parts = parts
  }

  /** Asks the person, and answers with what they say; with nothing where they say nothing. */
  async ask(need: Need): Promise<void> {
    // What was told stays on the screen until somebody closes it.
    if (!isOpen(this.#parts.overview.peek(), need)) return tellLate(need)
    if (need.terminalId !== null && need.kind !== 'approval') this.#parts.show(need.terminalId)
    const gone = new vscode.CancellationTokenSource()
    const stop = this.#parts.overview.subscribe((now) => isOpen(now, need) || gone.cancel())
    try {
      const given = await this.#given(need, gone.token)
      if (given !== undefined) await this.answer(need, given)
    } finally {
      stop()
      gone.dispose()
    }
  }

  /** Null where the verb takes no answer. */
  async answer(need: Need, given: string | null): Promise<void> {
    const client = this.#parts.client()
    // Of another machine by now, perhaps.
    if (!isOpen(this.#parts.overview.peek(), need)) return tellLate(need)
    if (client === null)
      return void vscode.window.showWarningMessage('agentpty is not connected. Nothing was answered.')
    const { verb, input, answer } = need.answerBy
    const waits = verb === 'send' || verb === 'answer' ? { waitFor: 'none' } : {}
    const whole = { ...input, ...waits, ...(answer === null || given === null ? {} : { [answer]: given }) }
    try {
      await client.call(verb, whole as VerbInput<typeof verb>)
    } catch (error) {
      if (isTermError(error) && error.code === 'not_asking') tellLate(need)
      else void vscode.window.showWarningMessage(wordsOf(error))
    }
  }

  /** `gone`: it is needed no more, and the dialogs that can be closed are. */
  #given(need: Need, gone: vscode.CancellationToken): Promise<string | null | undefined> {
    const { kind, text, title, options = [], isSecret = false } = need
    if (kind === 'approval') return this.#decision(need)
    if (kind === 'takeOver') return choice(`${title} asks you to take over`, text, [['Take Over', null]])
    if (kind === 'failure') return choice(title, text, [['Dismiss', null]])
    if (kind === 'dialog' || kind === 'confirmation') return picked(options, `${title}: ${text}`, gone)
    const password = isSecret || kind === 'password'
    const prompt = password ? 'It is not shown, kept nowhere, and no model sees it.' : title
    return asPromise(vscode.window.showInputBox({ title: text, prompt, password, ignoreFocusOut: true }, gone))
  }

  /** All of it, so that nobody allows what they have not seen. */
  async #decision({ needId, title, text, askedBy }: Need): Promise<string | undefined> {
    const { approvals } = (await this.#parts.client()?.call('approvals', {})) ?? { approvals: [] }
    const approval = approvals.find(({ approvalId }) => approvalId === needId)
    const detail =
      approval === undefined
        ? text
        : [approval.text.trim(), '', ...approval.effects, approval.reason, `in ${approval.cwd}`].join('\n')
    const asks = `${askedBy ?? title} asks to do this in ${title}`
    const given = await choice(asks, detail, [
      ['Deny', 'deny'],
      ['Allow Once', 'allow'],
    ])
    return given ?? undefined
  }
}

/** Enter chooses the first answer, so the first one allows nothing. */
async function choice<Given>(
  message: string,
  detail: string,
  answers: readonly (readonly [label: string, given: Given])[],
): Promise<Given | undefined> {
  const options = { modal: true, detail }
  const chosen = await vscode.window.showWarningMessage(message, options, ...answers.map(([label]) => label))
  return answers.find(([label]) => label === chosen)?.[1]
}

/** Enter chooses the first row, so the first one answers nothing. */
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

function tellLate({ title }: Need): void {
  void vscode.window.showWarningMessage(`${title} does not ask that any more: it was answered elsewhere.`)
}

/** While there is no overview it is not known to be gone. */
const isOpen = (overview: Overview | null, { needId }: Need): boolean =>
  overview === null || overview.needs.some((one) => one.needId === needId)

const asPromise = async <Value>(value: Thenable<Value>): Promise<Value> => value
