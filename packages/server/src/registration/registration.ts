/** Registration with clients. `undo` restores earlier contents byte for byte, or removes only our entries from a file changed since. */

import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RegistrableClient } from '@agentpty/protocol/agents'
import { toolsetNames } from '@agentpty/protocol/mcp'
import {
  type ClientState,
  type EntryWay,
  type OfferedServer,
  ownServerName,
  parseEntry,
  type Registrar,
  type RegistrationChange,
} from '@agentpty/protocol/setup'
import { hash, isOpenToOthers, problemOf, readText, replaceFile } from './client-files.ts'
import { type KnownClient, knownClients, type UserFolders } from './clients.ts'
import {
  entryFor,
  originalOf,
  readRecord,
  readServer,
  readServersIn,
  serversOf,
  setServer,
  shown,
  writeRecord,
} from './server-entry.ts'
import { undo } from './undo.ts'

interface RegistrationOptions {
  readonly folders: UserFolders
  /** PATH. */
  readonly searchPath: string
  readonly server: OfferedServer
  /** The path of the record of the files as they were before. */
  readonly record: string
}

interface Planned {
  readonly change: RegistrationChange
  /** The whole file afterwards. */
  readonly after?: string
}

export function registrar(options: RegistrationOptions): Registrar {
  const clients = (names: readonly RegistrableClient[]) =>
    names.length > 0 ? knownClients.filter(({ name }) => names.includes(name)) : installedClients(options)
  return {
    server: options.server,
    plan: (names) => clients(names).map((client) => plan(client, options).change),
    register: (names) => clients(names).map((client) => register(client, options)),
    undo: (names, { isDry, server }) => undo({ ...options, names, isDry, server }),
    registered: () => installedClients(options).map((client) => stateOf(client, options.folders)),
  }
}

function register(client: KnownClient, options: RegistrationOptions): RegistrationChange {
  const { change, after } = plan(client, options)
  if (after === undefined) return change
  const record = readRecord(options.record)
  const before = readText(change.path)
  const known = record[client.name]
  // However often we register, `undo` restores the contents before the first time.
  const isOurs = known !== undefined && known.afterHash === hash(before ?? '')
  const original = known === undefined || before === null ? before : originalOf(client, before, known)
  replaceFile(change.path, after)
  record[client.name] = {
    path: change.path,
    before: isOurs ? known.before : original,
    afterHash: hash(after),
    servers: [...new Set([...(known === undefined ? [] : serversOf(known)), options.server.name])],
  }
  writeRecord(options.record, record)
  return change
}

function plan(client: KnownClient, { folders, server }: RegistrationOptions): Planned {
  const path = client.file(folders)
  const about = { client: client.name, title: client.title, path, note: '' }
  const entry = entryFor(client, server)
  if (entry === null)
    return {
      change: { ...about, kind: 'problem', detail: 'takes no address with a token; register it without --http' },
    }
  try {
    const text = readText(path) ?? ''
    const known = readServer(client, text, server.name)
    const detail = shown(entry, server)
    if (isDeepStrictEqual(known, entry)) return { change: { ...about, kind: 'same', detail } }
    const isExposed = server.way.kind === 'http' && isOpenToOthers(path)
    const note = isExposed ? `other users can read this file, and the token in it then: chmod 600 ${path}` : ''
    const kind = known === null ? 'add' : 'update'
    return { change: { ...about, kind, detail, note }, after: setServer(client, text, server.name, entry) }
  } catch (error) {
    // A file that cannot be read is a problem of its client alone.
    return { change: { ...about, kind: 'problem', detail: `${problemOf(error)}; it is left alone` } }
  }
}

function installedClients({ folders, searchPath }: RegistrationOptions): readonly KnownClient[] {
  const searched = searchPath.split(delimiter).filter((folder) => folder !== '')
  return knownClients.filter(
    ({ programs, file }) =>
      existsSync(file(folders)) ||
      // A folder of its own, not one that all programs share.
      (dirname(file(folders)) !== folders.home && existsSync(dirname(file(folders)))) ||
      programs.some((program) => searched.some((folder) => existsSync(join(folder, program)))),
  )
}

/** Returns our entries in a client's file, no matter which program wrote them. */
function stateOf(client: KnownClient, folders: UserFolders): ClientState {
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

/** Ours by its name, by its command, or, for a door, by its address on this machine, as terminal-agent registered itself. */
function isOurs(name: string, way: EntryWay | null): boolean {
  if (name === ownServerName) return true
  if (way?.kind === 'stdio') return way.command.some((word) => /^agentpty(\.js|@.*)?$/.test(basename(word)))
  if (way?.kind !== 'http' || !toolsetNames.some((one) => one === name)) return false
  const { hostname, pathname } = new URL(way.url)
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) && pathname === '/mcp'
}
