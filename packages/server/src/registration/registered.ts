/** What a client's file says of us, whoever wrote it. */

import { basename } from 'node:path'
import { toolsetNames } from '@agentpty/protocol/mcp'
import { type ClientState, type EntryWay, ownServerName, parseEntry } from '@agentpty/protocol/setup'
import { isOpenToOthers, problemOf, readText } from './client-files.ts'
import type { KnownClient, UserFolders } from './clients.ts'
import { readServersIn } from './server-entry.ts'

export function stateOf(client: KnownClient, folders: UserFolders): ClientState {
  const path = client.file(folders)
  const about = { client: client.name, title: client.title, path, isOpen: isOpenToOthers(path) }
  try {
    const servers = Object.entries(readServersIn(client, readText(path) ?? '', folders.cwd))
    const entries = servers.map(([name, value]) => parseEntry(name, value)).filter(({ name, way }) => isOurs(name, way))
    return { ...about, problem: null, entries }
  } catch (error) {
    return { ...about, problem: problemOf(error), entries: [] }
  }
}

/**
 * Ours by its name, by its command, or, for a door, by its address on this machine, as terminal-agent registered
 * itself.
 */
function isOurs(name: string, way: EntryWay | null): boolean {
  if (name === ownServerName) return true
  if (way?.kind === 'stdio') return way.command.some((word) => /^agentpty(\.js|@.*)?$/.test(basename(word)))
  if (way?.kind !== 'http' || !toolsetNames.some((one) => one === name)) return false
  const { hostname, pathname } = new URL(way.url)
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) && pathname === '/mcp'
}
