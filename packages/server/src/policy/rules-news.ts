/** Notifies listeners of changed rules, whose lists of tools would stay old without a call. Polls only while there is a listener. */

import { type Clock, policyNewsMs, type Stop } from '@agentpty/protocol'
import type { PolicyRules } from '@agentpty/shell-policy'

interface Listener {
  readonly folder: string
  readonly changed: () => void
  known: PolicyRules
}

export interface RulesNewsOptions {
  readonly clock: Clock
  /** The same object for as long as nothing changes. */
  readonly rulesFor: (folders: readonly string[]) => PolicyRules
}

export class RulesNews {
  readonly #options: RulesNewsOptions
  readonly #listeners = new Set<Listener>()
  #stopTimer: Stop | null = null

  constructor(options: RulesNewsOptions) {
    this.#options = options
  }

  watch(folder: string, changed: () => void): Stop {
    const listener = { folder, changed, known: this.#options.rulesFor([folder]) }
    this.#listeners.add(listener)
    this.#lookLater()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stopTimer?.()
      this.#stopTimer = null
    }
  }

  #lookLater(): void {
    const { clock } = this.#options
    this.#stopTimer ??= clock.callAt(clock.now() + policyNewsMs, () => {
      this.#stopTimer = null
      this.#look()
      if (this.#listeners.size > 0) this.#lookLater()
    })
  }

  #look(): void {
    // A listener that stops during a notification is skipped.
    for (const listener of this.#listeners) {
      const rules = this.#options.rulesFor([listener.folder])
      if (rules === listener.known) continue
      listener.known = rules
      listener.changed()
    }
  }
}
