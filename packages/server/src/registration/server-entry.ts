/** One server in the text of one client's file. All throw {@link MalformedFile}. */

import { rmSync } from 'node:fs'
import { invalidInput } from '@agentpty/protocol'
import type { ToolsetName } from '@agentpty/protocol/mcp'
import { type OfferedServer, ownServerName, type ServerWay, serverNameOf } from '@agentpty/protocol/setup'
import { isObject } from '@agentpty/protocol/wire'
import { readText, replaceFile } from './client-files.ts'
import type { Entry, KnownClient } from './clients.ts'

/** The entry in the client's format; null when it has none for this server. */
export function entryFor(client: KnownClient, { name, way }: OfferedServer): Entry | null {
  if (way.kind === 'stdio') return client.byCommand(way, name)
  return client.byAddress?.({ url: way.url, headers: { Authorization: `Bearer ${way.token}` } }, name) ?? null
}

/** The entry for people: only the beginning of a secret is shown. */
export function shown(entry: Entry, { way }: OfferedServer): string {
  const text = JSON.stringify(entry)
  return way.kind === 'stdio' ? text : text.replaceAll(way.token, `${way.token.slice(0, 4)}…`)
}

/** All servers the file names, by name. */
function readServers({ format, group }: KnownClient, text: string): Entry {
  const servers = text === '' ? null : format.read(text, [group])
  return isObject(servers) ? servers : {}
}

/** The same as the client sees it in a folder. */
export function readServersIn(client: KnownClient, text: string, cwd: string): Entry {
  const { format, groupOf } = client
  const own = text === '' || groupOf === undefined ? null : format.read(text, groupOf(cwd))
  return { ...readServers(client, text), ...(isObject(own) ? own : {}) }
}

export function readServer(client: KnownClient, text: string, name: string): unknown {
  return readServers(client, text)[name] ?? null
}

export function setServer({ format, group }: KnownClient, text: string, name: string, entry: Entry): string {
  return format.set(text, [group, name], entry)
}

/** The text without these servers of ours; an older entry under such a name is restored. */
export function withoutServers(
  client: KnownClient,
  text: string,
  names: readonly string[],
  before: string | null,
): string {
  return names.reduce((rest, name) => {
    if (readServer(client, rest, name) === null) return rest
    const original = before === null ? null : readServer(client, before, name)
    return isObject(original)
      ? setServer(client, rest, name, original)
      : client.format.remove(rest, [client.group, name])
  }, text)
}

/** The file as it was before us, made from its text now. */
export function originalOf(client: KnownClient, text: string, kept: Kept): string {
  return withoutServers(client, text, serversOf(kept), kept.before)
}

// The server that clients are offered, from the request and our own command or address.

interface HttpAddress {
  /** Without a path. */
  readonly url: string
  readonly token: string
  readonly wantedPort: number
}

/** With an `address` clients are given that, without one the command and the variables that lead to this instance. */
export function offeredServer(
  { command, env }: Omit<Extract<ServerWay, { kind: 'stdio' }>, 'kind'>,
  toolsets: readonly ToolsetName[] | null,
  address: HttpAddress | null,
): OfferedServer {
  const name = serverNameOf(toolsets)
  const isOwnAlone = toolsets === null || (toolsets.length === 1 && toolsets[0] === 'terminal')
  const names = isOwnAlone ? null : toolsets.join(',')
  if (address === null) {
    const more = names === null ? [] : ['--toolset', names]
    return { name, way: { kind: 'stdio', command: [...command, 'mcp', ...more], env }, note: '' }
  }
  const { url, token, wantedPort } = address
  const query = names === null ? '' : `?toolset=${names}`
  const isLasting = Number(new URL(url).port) === wantedPort
  const note = `This address holds until the daemon ends: ${wantedPort === 0 ? 'httpPort is 0' : `port ${wantedPort} was taken`}.`
  return { name, way: { kind: 'http', url: `${url}/mcp${query}`, token }, note: isLasting ? '' : note }
}

/** The record of one client's file before us, so that it can be restored. */
export interface Kept {
  readonly path: string
  /** Null when there was no file. */
  readonly before: string | null
  readonly afterHash: string
  /** Which of our servers were written into it since; without the field, {@link ownServerName}. */
  readonly servers?: readonly string[]
}

type RegistrationRecord = Record<string, Kept>

export const serversOf = ({ servers }: Kept): readonly string[] => servers ?? [ownServerName]

/** Errors: `invalid_input`; without the record nothing could be restored, so nothing is changed either. */
export function readRecord(path: string): RegistrationRecord {
  const text = readText(path)
  if (text === null) return {}
  try {
    return JSON.parse(text) as RegistrationRecord
  } catch {
    throw invalidInput(
      `${path} cannot be read: it keeps what stood in the clients' files before.`,
      'Mend it, or move it away: then --undo --client NAME takes out that entry alone.',
    )
  }
}

export function writeRecord(path: string, record: Readonly<RegistrationRecord>): void {
  if (Object.keys(record).length === 0) rmSync(path, { force: true })
  else replaceFile(path, `${JSON.stringify(record, null, 2)}\n`)
}
