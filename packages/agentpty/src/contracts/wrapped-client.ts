import type { Client } from './client.ts'

/** The same client, whose verbs are called by `call`. */
export function withCall(client: Client, call: Client['call']): Client {
  return {
    call,
    follow: (terminalId, options) => client.follow(terminalId, options),
    watch: (options) => client.watch(options),
    tools: client.tools,
    control: client.control,
    close: () => client.close(),
  }
}
