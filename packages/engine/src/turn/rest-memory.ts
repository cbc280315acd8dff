/**
 * The state of the program when it last waited for its caller, so that the next wait is recognized sooner.
 *
 * A rest is learned only once it is over. A wait must not be compared with itself: a prompt is not known just because
 * it is there now. It becomes known when input comes there.
 */

import type { Offset } from '@agentpty/protocol'
import { promptOf } from './prompt-shape.ts'
import { type Rest, restOf, type WaitNow } from './rest.ts'

/** Prompts that are remembered: a program with more has no prompt but prints text. */
const knownPromptsMax = 16
/** Characters of a prompt; a longer line is text. */
const promptCharactersMax = 200

export class RestMemory {
  #knownPrompts: readonly string[] = []
  #lastRest: Rest | null = null
  #wentOn = false
  /** How the program rests now, and the log's end there; null while it works. */
  #current: {
    readonly end: Offset
    readonly rest: Rest | null
    readonly prompt: string
    readonly isSure: boolean
  } | null = null

  /** It has gone on by itself, since the last input, from what only may have been a rest. */
  get wentOn(): boolean {
    return this.#wentOn
  }

  get lastRest(): Rest | null {
    return this.#lastRest
  }

  /** The log's end where the program rests now; null while it works. */
  get restsAt(): Offset | null {
    return this.#current?.end ?? null
  }

  /** It is the caller's turn. `wait` is null when no facts are known; `before` is the text before the cursor. */
  note(end: Offset, wait: WaitNow | null, shown: { readonly before: string; readonly isSure: boolean }): void {
    const rest = wait === null ? null : restOf(wait, this.#lastRest)
    this.#current = { end, rest, prompt: promptOf(shown.before), isSure: shown.isSure }
  }

  /** The rest is over, because input came or because the program went on by itself. */
  ended(by: 'input' | 'itself'): void {
    if (by === 'input') this.#wentOn = false
    else if (this.#current?.isSure === false) this.#wentOn = true
    if (this.#current === null) return
    const { rest, prompt, isSure } = this.#current
    this.#current = null
    // What only may have been a rest, and was ended by the program itself, was none.
    if (rest !== null && (isSure || by === 'input')) this.#lastRest = rest
    this.#knownPrompts = this.#knownPrompts.filter((known) => known !== prompt)
    // Text that the program replaced by itself, as a clock or a spinner does, was no prompt.
    if (by === 'itself' || prompt === '' || prompt.length > promptCharactersMax) return
    this.#knownPrompts = [...this.#knownPrompts, prompt].slice(-knownPromptsMax)
  }

  /** The text before the cursor is that of an earlier rest. */
  isKnownPrompt(before: string): boolean {
    return this.#knownPrompts.includes(promptOf(before))
  }
}
