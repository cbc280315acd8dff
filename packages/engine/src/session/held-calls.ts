/** Calls of a terminal's programs that its gate holds until a person has answered. */

import type { Stop } from '@agentpty/protocol'

export interface HeldCall {
  readonly approvalId: string
  /** One sentence for an agent: what is held, and the next move. */
  readonly what: string
}

export class HeldCalls {
  /** By the number of their question, the newest last. */
  readonly #held = new Map<number, HeldCall>()
  /** Those that no result has named. */
  readonly #unreported = new Set<number>()
  readonly #listeners = new Set<() => void>()

  add(question: number, call: HeldCall): void {
    const isNew = !this.#held.has(question)
    this.#held.set(question, call)
    if (!isNew) return
    this.#unreported.add(question)
    for (const listener of [...this.#listeners]) listener()
  }

  remove(question: number): void {
    this.#held.delete(question)
    this.#unreported.delete(question)
  }

  get newest(): HeldCall | null {
    return [...this.#held.values()].at(-1) ?? null
  }

  get hasUnreported(): boolean {
    return this.#unreported.size > 0
  }

  /** A result names them: waits for the same questions then last until they are answered. */
  report(): void {
    this.#unreported.clear()
  }

  /** Calls with each call that is held from now on; returns a function that stops it. */
  onAdded(listener: () => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
