/** The few messages of MCP by which a client finds out that a server is there: `initialize`, then `tools/list`. */

import { doctorName, type ReachedDaemon } from '@agentpty/protocol/setup'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'

/** The result of a handshake. */
export type Handshake =
  | {
      readonly outcome: 'connected'
      readonly tools: number
      readonly version: string
      readonly ms: number
      /** Null for a server that does not tell. */
      readonly daemon: ReachedDaemon | null
    }
  | { readonly outcome: 'failed'; readonly why: Failure; readonly found: string }

/**
 * `missing`: nothing to start. `ended`: the program ended. `token`: refused. `nobody`: no one listens. `silent`: no
 * answer.
 */
export type Failure = 'missing' | 'ended' | 'token' | 'nobody' | 'silent' | 'wrong answer'

export const failed = (why: Failure, found: string): Handshake => ({ outcome: 'failed', why, found })

const protocolVersion = '2025-06-18'

export const initializeId = 1
export const listId = 2

export const initialize = (version: string): JsonObject => ({
  jsonrpc: '2.0',
  id: initializeId,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: doctorName, version } },
})
export const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' }
export const listTools: JsonObject = { jsonrpc: '2.0', id: listId, method: 'tools/list' }

/** The result in a message that answers the request; an echo of the request does not count. */
export function answerTo(id: number, message: JsonObject | null): JsonObject | 'refused' | null {
  if (message === null || message['id'] !== id || 'method' in message) return null
  return isObject(message['result']) ? message['result'] : 'refused'
}

export function versionIn(result: JsonObject): string {
  const info = result['serverInfo']
  return isObject(info) && typeof info['version'] === 'string' ? info['version'] : ''
}

/** Null when the answer is not a list. */
export function toolsIn(result: JsonObject): number | null {
  return Array.isArray(result['tools']) ? result['tools'].length : null
}
