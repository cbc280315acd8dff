/** The machine whose terminals this window shows: the configured one, as soon as a connection to it is open. */

import type { OpenClient } from './connect.ts'

export interface ChosenMachineParts {
  /** The configured address; null: this machine. */
  readonly address: () => string | null
  readonly open: (address: string | null) => Promise<OpenClient>
  /** Called before the first connection to another machine is used, because its ids name other terminals. */
  readonly enter: (address: string | null) => void
}

export class ChosenMachine {
  readonly #parts: ChosenMachineParts
  #address: string | null

  constructor(parts: ChosenMachineParts) {
    this.#parts = parts
    this.#address = parts.address()
  }

  /** The address of the machine that this window shows; null: this machine. */
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
