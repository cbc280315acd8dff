/** A client of an engine in the test's own process. Its calls may use another caller. */

import assert from 'node:assert/strict'
import { type Client, isInServer, type ServerClient } from '@agentpty/protocol'

export function serverClientOf({ client }: { readonly client: Client }): ServerClient {
  assert.ok(isInServer(client), 'these terminals belong to another process')
  return client
}
