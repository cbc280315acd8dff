import type { Client } from './client.ts'
import { isInServer, type ServerClient } from './server-client.ts'
import type { OverviewEvent, OverviewOptions } from './session/overview-event.ts'
import type { TerminalsEvent, WatchOptions } from './session/terminals-event.ts'

/** The same client, whose verbs are called by `call`. */
export function withCall(client: ServerClient, call: ServerClient['call']): ServerClient
export function withCall(client: Client, call: Client['call']): Client
export function withCall(client: Client | ServerClient, call: Client['call']): Client {
  return isInServer(client) ? new WrappedServerClient(client, call) : new WrappedClient(client, call)
}

/** Each call of a tool makes two or three of these. */
class WrappedClient implements Client {
  readonly call: Client['call']
  readonly #client: Client

  constructor(client: Client, call: Client['call']) {
    this.#client = client
    this.call = call
  }

  get tools() {
    return this.#client.tools
  }

  get control() {
    return this.#client.control
  }

  follow(...[terminalId, options]: Parameters<Client['follow']>) {
    return this.#client.follow(terminalId, options)
  }

  watch(options: OverviewOptions): AsyncIterable<OverviewEvent>
  watch(options?: WatchOptions): AsyncIterable<TerminalsEvent>
  watch(options?: WatchOptions | OverviewOptions): AsyncIterable<TerminalsEvent | OverviewEvent> {
    return options?.overview === true ? this.#client.watch(options) : this.#client.watch(options)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

class WrappedServerClient extends WrappedClient implements ServerClient {
  readonly isInServer = true
}
