/** One server in the text of one client's file. All throw {@link MalformedFile}. */

import type { OfferedServer } from '@agentpty/protocol/setup'
import { isObject } from '@agentpty/protocol/wire'
import type { Entry, KnownClient } from './clients.ts'
import { type Kept, serversOf } from './registration-record.ts'

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
export function readServers({ format, group }: KnownClient, text: string): Entry {
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
