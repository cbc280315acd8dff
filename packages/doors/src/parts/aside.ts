import { type Client, isInServer, type ServerClient, withCall } from '@agentpty/protocol'

/**
 * The same client for what a door looks up on the side, such as which terminal a slot is: what a rule says of the verb is meant for calls
 * whose answer the caller gets. A program outside the server looks nothing up on the side: its calls are its own.
 */
export function aside(client: ServerClient): ServerClient
export function aside(client: Client): Client
export function aside(client: Client): Client {
  if (!isInServer(client)) return client
  return withCall(client, (name, input, context) => client.call(name, input, { ...context, isAside: true }))
}
