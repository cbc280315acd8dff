/**
 * A separate connection for agents of the editor. The window's own connection is a person's: its input is not checked and nothing is hidden
 * from it. An agent's call must never use it.
 */

import type { Client } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import { connect, type Hello, type OpenClient } from './connect.ts'

export interface AgentClientOptions {
  readonly paths: Paths
  /** The hello of the window; the fields that mark a person are left out. */
  readonly hello: Hello
  readonly open?: typeof connect
}

export class AgentClient {
  readonly #options: AgentClientOptions
  #client: Promise<OpenClient> | null = null

  constructor(options: AgentClientOptions) {
    this.#options = options
  }

  /** Opens with the first call, and again after a loss. Errors: `no_daemon`, and those of `connectDaemon`. */
  open(): Promise<Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async close(): Promise<void> {
    const open = this.#client
    this.#client = null
    // A failed connection needs no closing, and its caller has received the error.
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
