/** The prompt of a terminal's own shell: shown, or not yet again since the last Enter. */

import type { Millis, Offset } from '@agentpty/protocol'
import { type Answering, answered, hasRunSince } from './shell-answers.ts'

export class ShellPrompt {
  readonly #parts: Answering
  /** Offset of the last Enter. Earlier prompts no longer count. */
  #enteredAt: Offset | null = null

  constructor(parts: Answering) {
    this.#parts = parts
  }

  /** The shell is at its own prompt, and has taken all entered lines. */
  get isShown(): boolean {
    const { info, commands } = this.#parts.session
    if (info.shell === null || !commands.atPrompt) return false
    return this.#enteredAt === null || commands.hasInvitedSince(this.#enteredAt)
  }

  /** The shell has shown nothing since the last Enter. */
  get isUnanswered(): boolean {
    const { info, commands } = this.#parts.session
    return info.shell !== null && commands.atPrompt && !this.isShown
  }

  /** The shell has run a command since the last Enter; true before the first one. */
  get hasRun(): boolean {
    return this.#enteredAt === null || hasRunSince(this.#parts.session.commands, this.#enteredAt)
  }

  /** Enter is pressed now. */
  entered(): void {
    this.#enteredAt = this.#parts.session.log.end
  }

  /** The shell has reported its line. */
  isRead(): void {
    this.#enteredAt = null
  }

  /** Resolves when the shell has answered the last Enter, and at the latest after `ms`. */
  answered(ms?: Millis): Promise<void> {
    return answered(this.#parts, this.#enteredAt ?? 0, ms)
  }
}
