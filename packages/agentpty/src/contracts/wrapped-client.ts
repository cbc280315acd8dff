import type { Client } from './client.ts'
import { isInServer, type ServerClient } from './server-client.ts'
import type { OverviewEvent, OverviewOptions } from './session/overview-event.ts'
import type { TerminalsEvent, WatchOptions } from './session/terminals-event.ts'

/** The same client, whose verbs are called by `call`. */
export function withCall(client: ServerClient, call: ServerClient['call']): ServerClient
export function withCall(client: Client, call: Client['call']): Client
export function withCall(client: Client | ServerClient, call: Client['call']): Client {
  function watch(options: OverviewOptions): AsyncIterable<OverviewEvent>
  function watch(options?: WatchOptions): AsyncIterable<TerminalsEvent>
  function watch(options?: WatchOptions | OverviewOptions): AsyncIterable<TerminalsEvent | OverviewEvent> {
    return options?.overview === true ? client.watch(options) : client.watch(options)
  }
  return {
    ...(isInServer(client) ? { isInServer: true } : {}),
    call,
    follow: (terminalId, options) => client.follow(terminalId, options),
    watch,
    tools: client.tools,
    control: client.control,
    close: () => client.close(),
  }
}
