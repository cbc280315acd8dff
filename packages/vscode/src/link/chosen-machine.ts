/** The machine whose terminals this window has: the one that is set, from the moment when there is a connection to it. */

import type { OpenClient } from './connect.ts'

export interface ChosenMachineParts {
  /** Its address as it is set now; null: this one. */
  readonly address: () => string | null
  readonly open: (address: string | null) => Promise<OpenClient>
  /** Before the first connection to another one is used: its ids are those of other terminals. */
  readonly enter: (address: string | null) => void
}

export class ChosenMachine {
  readonly #parts: ChosenMachineParts
  #address: string | null

  constructor(parts: ChosenMachineParts) {
    this.#parts = parts
    this.#address = parts.address()
  }

  /** Of the one that this window has, whatever is set; null: this one. */
  get address(): string | null {
    return this.#address
  }

  /** Errors: those of opening. */
  async open(): Promise<OpenClient> {
    const { address, open, enter } = this.#parts
    for (;;) {
      const asked = address()
      const client = await open(asked)
      if (asked === address()) {
        if (asked !== this.#address) enter(asked)
        this.#address = asked
        return client
      }
      await client.close()
    }
  }
}
