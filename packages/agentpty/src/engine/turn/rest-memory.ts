/**
 * The state of the program when it last waited for its caller, so that the next wait is recognized sooner.
 *
 * A rest is learned only once it is over. A wait must not be compared with itself: a prompt is not known just because
 * it is there now.
 */

import type { Offset } from '../../contracts/units.ts'
import { promptOf } from './prompt-shape.ts'
import { type Rest, restOf, type WaitNow } from './rest.ts'

/** Prompts that are remembered: a program with more has no prompt but prints text. */
const knownPromptsMax = 16
/** Characters of a prompt; a longer line is text. */
const promptCharactersMax = 200

export class RestMemory {
  readonly #knownPrompts: string[] = []
  #lastRest: Rest | null = null
  /** How the program rests now, and the log's end there; null while it works. */
  #current: { readonly end: Offset; readonly rest: Rest | null; readonly prompt: string } | null = null

  get lastRest(): Rest | null {
    return this.#lastRest
  }

  /** The log's end where the program rests now; null while it works. */
  get restsAt(): Offset | null {
    return this.#current?.end ?? null
  }

  /** It is the caller's turn. `wait` is null when no facts are known; `before` is the text before the cursor. */
  note(end: Offset, wait: WaitNow | null, before: string): void {
    const rest = wait === null ? null : restOf(wait, this.#lastRest)
    this.#current = { end, rest, prompt: promptOf(before) }
  }

  /** The rest is over: input or more output has come. */
  learn(): void {
    if (this.#current === null) return
    const { rest, prompt } = this.#current
    this.#current = null
    if (rest !== null) this.#lastRest = rest
    if (prompt === '' || prompt.length > promptCharactersMax || this.#knownPrompts.includes(prompt)) return
    this.#knownPrompts.push(prompt)
    if (this.#knownPrompts.length > knownPromptsMax) this.#knownPrompts.shift()
  }

  /** The text before the cursor is that of an earlier rest. */
  isKnownPrompt(before: string): boolean {
    return this.#knownPrompts.includes(promptOf(before))
  }
}
