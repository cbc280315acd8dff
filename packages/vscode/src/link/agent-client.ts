/**
 * A connection of its own for agents of the editor. That of the window is a person's, whose keys nobody judges and from whom nothing is
 * hidden: an agent's call must never go that way.
 */

import type { Client } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import { connect, type Hello, type OpenClient } from './connect.ts'

export interface AgentClientOptions {
  readonly paths: Paths
  /** Of the window; what makes it a person's is left out. */
  readonly hello: Hello
  readonly open?: typeof connect
}

export class AgentClient {
  readonly #options: AgentClientOptions
  #client: Promise<OpenClient> | null = null

  constructor(options: AgentClientOptions) {
    this.#options = options
  }

  /** Opened with the first call, and again after its end. Errors: `no_daemon`, and those of `connectDaemon`. */
  open(): Promise<Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async close(): Promise<void> {
    const open = this.#client
    this.#client = null
    // Where it could not be opened there is nothing to close, and its caller has been told.
    await open?.then(
      (client) => client.close(),
      () => undefined,
    )
  }

  async #connect(): Promise<OpenClient> {
    const { paths, hello, open = connect } = this.#options
    const { isPerson: _, ...rest } = hello
    const own = { ...rest, client: `${hello.client}-agents`, program: `${hello.program} (agents of the editor)` }
    try {
      const client = await open(paths, own)
      void client.ended.then(() => {
        this.#client = null
      })
      return client
    } catch (error) {
      this.#client = null
      throw error
    }
  }
}
