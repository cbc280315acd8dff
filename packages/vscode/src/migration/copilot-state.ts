/** What stands in Copilot CLI's file of the server `terminal-agent`, whose name its users have in their instructions. */

import { type EntryWay, parseEntry } from '@agentpty/protocol/setup'
import { isObject, parseObject } from '@agentpty/protocol/wire'

export const serverName = 'terminal-agent'

/**
 * `without token`: as terminal-agent wrote it, which no server of ours answers. `stale`: with a token, and another address or another
 * token than now. `other`: a command, or elsewhere: somebody’s own.
 */
export type EntryState = 'missing' | 'malformed' | 'without token' | 'stale' | 'current' | 'other'

export interface ServedNow {
  /** Without a path. */
  readonly url: string
  readonly token: string
}

/** `text`: null without a file. */
export function entryState(text: string | null, served: ServedNow): EntryState {
  if (text === null || text.trim() === '') return 'missing'
  const servers = serversIn(text)
  if (servers === null) return 'malformed'
  if (!Object.hasOwn(servers, serverName)) return 'missing'
  const { way } = parseEntry(serverName, servers[serverName])
  return way === null ? 'other' : stateOf(way, served)
}

function stateOf(way: EntryWay, { url, token }: ServedNow): EntryState {
  if (way.kind !== 'http') return 'other'
  const found = new URL(way.url)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(found.hostname) || found.pathname !== '/mcp') return 'other'
  const authorization = Object.entries(way.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  if (authorization === undefined) return 'without token'
  const isHere = found.port === new URL(url).port && authorization === `Bearer ${token}`
  return isHere ? 'current' : 'stale'
}

/** Null for a text that is none of Copilot's. */
function serversIn(text: string): Readonly<Record<string, unknown>> | null {
  const root = parseObject(text)
  if (root === null) return null
  const { mcpServers = {} } = root
  return isObject(mcpServers) ? mcpServers : null
}

export interface Known {
  readonly state: EntryState
  /** A person has said yes to it. */
  readonly isAgreed: boolean
  /** terminal-agent is installed in this editor. */
  readonly isTheirsHere: boolean
  /** It was so when the person said yes: as it goes it takes out its entry, which is ours by then. */
  readonly wasTheirsHere: boolean
}

/** `write`: a person has agreed to it before. */
export function moveFor({ state, isAgreed, isTheirsHere, wasTheirsHere }: Known): 'ask' | 'write' | 'nothing' {
  switch (state) {
    case 'without token':
      // While the other one is here it writes its entry at each start: it is not ours to fight.
      if (isAgreed) return isTheirsHere ? 'nothing' : 'write'
      return 'ask'
    case 'stale':
      return isAgreed ? 'write' : 'ask'
    case 'missing':
      return isAgreed && wasTheirsHere && !isTheirsHere ? 'write' : 'nothing'
    default:
      return 'nothing'
  }
}
