import type { CallContext } from './call/call-context.ts'
import type { Client } from './client.ts'
import type { TerminalsEvent, WatchOptions } from './session/events.ts'
import type { OverviewEvent, OverviewOptions } from './session/overview-event.ts'
import type { VerbInput, VerbName, VerbOutput } from './verbs/verbs.ts'

/** A client in the process of its server. Its calls may be made on behalf of another caller, and may set the options of server code. */
export interface ServerClient extends Client {
  /** Other clients would drop these options without a word. */
  readonly isInServer: true
  call<Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<VerbOutput<Name>>
}

export function isInServer(client: Client): client is ServerClient {
  return 'isInServer' in client
}

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
