/** Lists and fields that stay open until they are answered, as in the editor's module `vscode`. */

import { EventEmitter } from './event-emitter.ts'

/** A dialog that waits for an answer. */
export interface OpenDialog {
  readonly kind: 'warning' | 'information' | 'pick' | 'input'
  readonly text: string
  readonly options: Readonly<Record<string, unknown>>
  readonly choices: readonly string[]
  readonly answer: (given: string | undefined) => void
}

type Ask = (dialog: OpenDialog) => void

/** The parts that lists and fields of the editor share. */
class QuickInput {
  protected readonly ask: Ask

  title = ''
  placeholder = ''
  value = ''
  validationMessage = ''
  readonly accepted = new EventEmitter<void>()
  readonly hidden = new EventEmitter<void>()
  readonly typed = new EventEmitter<string>()
  readonly onDidAccept = this.accepted.event
  readonly onDidHide = this.hidden.event
  readonly onDidChangeValue = this.typed.event

  #isShown = true

  constructor(ask: Ask) {
    this.ask = ask
  }

  hide(): void {
    if (this.#isShown) {
      this.#isShown = false
      this.hidden.fire()
    }
  }

  dispose(): void {
    this.hide()
    for (const emitter of [this.accepted, this.hidden, this.typed]) emitter.dispose()
  }
}

interface PickItem {
  readonly label: string
  readonly kind?: number
}

/** Each time that it is shown, it asks with its present rows. */
export class QuickPick extends QuickInput {
  items: readonly PickItem[] = []
  selectedItems: readonly PickItem[] = []

  show(): void {
    const rows = this.items.filter(({ kind }) => kind === undefined)
    const answer = (given: string | undefined) => {
      if (given === undefined) return this.hide()
      const [chosen] = rows.filter(({ label }) => label === given)
      // The editor does not report a row that is selected already.
      if (chosen === undefined || this.selectedItems.includes(chosen)) return
      this.selectedItems = [chosen]
      this.accepted.fire()
    }
    const choices = rows.map(({ label }) => label)
    this.ask({ kind: 'pick', text: this.title, options: { placeholder: this.placeholder }, choices, answer })
  }
}

export class InputBox extends QuickInput {
  prompt = ''
  password = false

  show(): void {
    const { title, prompt, password } = this
    const answer = (given: string | undefined) => {
      if (given === undefined) return this.hide()
      this.value = given
      this.accepted.fire()
    }
    this.ask({ kind: 'input', text: title, options: { prompt, password }, choices: [], answer })
  }
}
