/** The client of an engine in the test's own process, whose calls may be made as another caller. */

import assert from 'node:assert/strict'
import type { Client } from '../packages/agentpty/src/contracts/client.ts'
import { isInServer, type ServerClient } from '../packages/agentpty/src/contracts/server-client.ts'

export function serverClientOf({ client }: { readonly client: Client }): ServerClient {
  assert.ok(isInServer(client), 'these terminals belong to another process')
  return client
}
