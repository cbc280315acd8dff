/** Parses the entry of the server `terminal-agent` in Copilot CLI's file. Its users have that name in their instructions. */

import { type EntryWay, parseEntry } from '@agentpty/protocol/setup'
import { isObject, parseObject } from '@agentpty/protocol/wire'

export const serverName = 'terminal-agent'

/**
 * `without token`: written by terminal-agent; no agentpty server accepts it. `stale`: with a token, but an outdated address or token. `other`: a
 * command or another address, written by the person.
 */
export type EntryState = 'missing' | 'malformed' | 'without token' | 'stale' | 'current' | 'other'

export interface ServedNow {
  /** The address without a path. */
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

/** Null for a text that is not Copilot's. */
function serversIn(text: string): Readonly<Record<string, unknown>> | null {
  const root = parseObject(text)
  if (root === null) return null
  const { mcpServers = {} } = root
  return isObject(mcpServers) ? mcpServers : null
}

export interface EntrySituation {
  readonly state: EntryState
  /** True if the person has agreed. */
  readonly isAgreed: boolean
  /** True if terminal-agent is installed in this editor. */
  readonly isTheirsHere: boolean
  /** True if it was installed at the time of consent. Its uninstallation removes the entry, which is ours by then. */
  readonly wasTheirsHere: boolean
}

/** `write`: the person has agreed before. */
export function moveFor({ state, isAgreed, isTheirsHere, wasTheirsHere }: EntrySituation): 'ask' | 'write' | 'nothing' {
  switch (state) {
    case 'without token':
      // While terminal-agent is installed it writes its entry at each start; agentpty does not compete.
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
