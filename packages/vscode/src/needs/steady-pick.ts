/**
 * A list of answers that takes none in the first half second after its question appeared or changed. A key or a click that comes sooner was
 * meant for something else. The first row is the active one, so callers put a row there that answers nothing.
 */

import type { Clock } from '@agentpty/protocol'
import { steadyMs } from '@agentpty/protocol/needs'
import * as vscode from 'vscode'

/** A row without a value is a heading. */
export interface Row<Value> {
  readonly label: string
  readonly description?: string
  readonly detail?: string
  readonly value?: Value
}

export interface Question<Value> {
  readonly title: string
  readonly placeholder: string
  readonly rows: readonly Row<Value>[]
}

/** Whether typed text narrows the list, or is ignored. */
export type TypedText = 'filters' | 'ignored'

type Item<Value> = vscode.QuickPickItem & { readonly value?: Value | undefined }

export class SteadyPick<Value> {
  readonly #clock: Clock
  readonly #pick: vscode.QuickPick<Item<Value>>
  readonly #typed: TypedText
  #since = 0

  constructor(clock: Clock, typed: TypedText = 'filters') {
    this.#clock = clock
    this.#typed = typed
    this.#pick = vscode.window.createQuickPick<Item<Value>>()
    this.#pick.ignoreFocusOut = true
  }

  /** Shows a question, in the place of the one before. */
  ask({ title, placeholder, rows }: Question<Value>): void {
    this.#since = this.#clock.now()
    Object.assign(this.#pick, { title, placeholder })
    this.#pick.items = rows.map((row) => this.#itemOf(row))
    this.#pick.show()
  }

  /** Undefined without an answer. */
  answer(): Promise<Value | undefined> {
    return new Promise((resolve) => {
      this.#pick.onDidChangeValue(() => {
        if (this.#typed === 'filters') return
        // The text may be meant for another window, perhaps with Enter at its end.
        this.#since = this.#clock.now()
        this.#pick.value = ''
      })
      this.#pick.onDidAccept(() => {
        const value = this.#pick.selectedItems[0]?.value
        if (value === undefined) return
        if (this.#clock.now() - this.#since < steadyMs) {
          // The editor does not report a click on a row that is selected already.
          this.#pick.selectedItems = []
          this.#pick.placeholder = tooSoon
          return
        }
        resolve(value)
        this.#pick.dispose()
      })
      this.#pick.onDidHide(() => {
        resolve(undefined)
        this.#pick.dispose()
      })
    })
  }

  close(): void {
    this.#pick.hide()
  }

  #itemOf({ label, description, detail, value }: Row<Value>): Item<Value> {
    if (value === undefined) return { label, kind: vscode.QuickPickItemKind.Separator }
    return {
      label,
      value,
      alwaysShow: this.#typed === 'ignored',
      ...(description === undefined ? {} : { description }),
      ...(detail === undefined ? {} : { detail }),
    }
  }
}

const tooSoon = 'This has just appeared or changed. Check it, then answer.'

/** A field for an answer, under the same rule. */
export class SteadyInput {
  readonly #clock: Clock
  readonly #input: vscode.InputBox
  readonly #since: number

  constructor(clock: Clock, shown: Pick<vscode.InputBox, 'title' | 'prompt' | 'password'>) {
    this.#clock = clock
    this.#input = vscode.window.createInputBox()
    Object.assign(this.#input, { ...shown, ignoreFocusOut: true })
    this.#since = clock.now()
    this.#input.show()
  }

  /** Undefined without an answer. */
  answer(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#input.onDidAccept(() => {
        if (this.#clock.now() - this.#since < steadyMs) {
          this.#input.validationMessage = tooSoon
          return
        }
        resolve(this.#input.value)
        this.#input.dispose()
      })
      this.#input.onDidHide(() => {
        resolve(undefined)
        this.#input.dispose()
      })
    })
  }

  close(): void {
    this.#input.hide()
  }
}

/**
 * Text of programs has no icons: without the empty character, the editor would draw `$(trash)` as one. An escape would be read out by screen
 * readers instead of the text.
 */
export const plainLabel = (text: string): string => text.replaceAll('$(', '$\u200b(')

/** Cuts text into rows of the list. `left`: the number of rows beyond `rowsMax`. */
export function labelRows(text: string, rowsMax: number): { readonly rows: readonly string[]; readonly left: number } {
  const all = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${labelCharactersMax}}`, 'gsu')) ?? [''])
  return { rows: all.slice(0, rowsMax).map(plainLabel), left: Math.max(0, all.length - rowsMax) }
}

/** The list is 600 pixels wide. */
const labelCharactersMax = 72
