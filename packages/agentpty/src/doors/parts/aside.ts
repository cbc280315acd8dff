import type { Client } from '../../contracts/client.ts'
import { withCall } from '../../contracts/wrapped-client.ts'

/**
 * The same client for what a door looks up on the side, such as which terminal a slot is: what a rule says of the verb is meant for calls
 * whose answer the caller gets.
 */
export function aside(client: Client): Client {
  return withCall(client, (name, input, context) => client.call(name, input, { ...context, isAside: true }))
}
