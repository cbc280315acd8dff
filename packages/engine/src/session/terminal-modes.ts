/** The modes of a terminal that matter to those who type into it, kept from marks alone: no screen is needed. */

import type { Offset } from '@agentpty/protocol'
import type { Mark } from '../marks/mark.ts'

/** Changes between the normal and the alternate screen that are remembered. */
const screenChangesMax = 256

export class TerminalModes {
  #alternateScreen = false
  #bracketedPaste = false
  #applicationCursorKeys = false
  #cursorHidden = false
  #title = ''
  readonly #screenChanges: { readonly end: Offset; readonly on: boolean }[] = []

  get alternateScreen(): boolean {
    return this.#alternateScreen
  }

  get bracketedPaste(): boolean {
    return this.#bracketedPaste
  }

  get applicationCursorKeys(): boolean {
    return this.#applicationCursorKeys
  }

  /** Programs that draw everything themselves hide the cursor; then its position means nothing. */
  get cursorHidden(): boolean {
    return this.#cursorHidden
  }

  get title(): string {
    return this.#title
  }

  /** Was the alternate screen on when the byte at `offset` came? */
  alternateScreenAt(offset: Offset): boolean {
    return this.#screenChanges.findLast((change) => change.end <= offset)?.on ?? false
  }

  /** Where the screen in force at `offset` was switched to; 0 when it never was. */
  screenSince(offset: Offset): Offset {
    return this.#screenChanges.findLast((change) => change.end <= offset)?.end ?? 0
  }

  apply(mark: Mark): void {
    if (mark.kind === 'alternate-screen') this.#changeScreen(mark.end, mark.on)
    else if (mark.kind === 'bracketed-paste') this.#bracketedPaste = mark.on
    else if (mark.kind === 'application-cursor') this.#applicationCursorKeys = mark.on
    else if (mark.kind === 'cursor-visible') this.#cursorHidden = !mark.on
    else if (mark.kind === 'title') this.#title = mark.title
    else if (mark.kind === 'reset') this.#reset(mark.end)
  }

  #reset(end: Offset): void {
    this.#bracketedPaste = false
    this.#applicationCursorKeys = false
    this.#cursorHidden = false
    if (this.#alternateScreen) this.#changeScreen(end, false)
  }

  #changeScreen(end: Offset, on: boolean): void {
    this.#alternateScreen = on
    this.#screenChanges.push({ end, on })
    if (this.#screenChanges.length > screenChangesMax) this.#screenChanges.shift()
  }
}
