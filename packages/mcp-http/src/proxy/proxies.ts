/** The proxies of all sandboxes: one for each terminal that has a list of hosts, for as long as that terminal is there. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '@agentpty/protocol'
import { AllowListProxy, type OpenConnections } from './allow-list-proxy.ts'

/** A terminal that needs one. */
export interface Needed {
  readonly folder: string
  readonly hosts: readonly string[]
}

export class Proxies {
  readonly #root: string
  readonly #clock: Clock
  readonly #open: OpenConnections = { count: 0 }
  readonly #proxies = new Map<string, AllowListProxy>()
  /** Opened for a terminal that is not there yet. */
  readonly #expected = new Set<string>()

  /** `root`: a private folder, whose path leaves room for that of a socket in a folder below it. */
  constructor(root: string, clock: Clock) {
    this.#root = root
    this.#clock = clock
  }

  /** For a terminal that is about to be opened. */
  async open(hosts: readonly string[]): Promise<{ readonly folder: string; readonly close: () => void }> {
    const folder = join(this.#root, `p-${randomBytes(4).toString('hex')}`)
    this.#expected.add(folder)
    await this.#listen({ folder, hosts })
    return { folder, close: () => this.#close(folder) }
  }

  /** Those that are needed now: others are closed, and those of an earlier daemon are opened again. */
  async keep(needed: readonly Needed[]): Promise<void> {
    const folders = new Set(needed.map(({ folder }) => folder))
    for (const folder of folders) this.#expected.delete(folder)
    for (const folder of this.#proxies.keys())
      if (!folders.has(folder) && !this.#expected.has(folder)) this.#close(folder)
    await Promise.all(needed.filter(({ folder }) => !this.#proxies.has(folder)).map((one) => this.#listen(one)))
  }

  async #listen({ folder, hosts }: Needed): Promise<void> {
    const proxy = new AllowListProxy({ folder, hosts, open: this.#open, clock: this.#clock })
    this.#proxies.set(folder, proxy)
    await proxy.listen()
  }

  #close(folder: string): void {
    this.#expected.delete(folder)
    this.#proxies.get(folder)?.close()
    this.#proxies.delete(folder)
  }
}
