/** Undoes a registration: restores the file as it was, or removes our entries when it has changed since. */

import { rmSync } from 'node:fs'
import type { RegistrableClient } from '@agentpty/protocol/agents'
import { ownServerName, type RegistrationChange } from '@agentpty/protocol/setup'
import { hash, problemOf, readText, replaceFile } from './client-files.ts'
import { type KnownClient, knownClients, type UserFolders } from './clients.ts'
import { type Kept, readRecord, readServer, serversOf, withoutServers, writeRecord } from './server-entry.ts'

export interface UndoOptions {
  readonly folders: UserFolders
  readonly record: string
  /** Empty: all that were registered. */
  readonly names: readonly RegistrableClient[]
  readonly isDry: boolean
  /** This server alone; null: all of ours. */
  readonly server: string | null
}

interface PlannedUndo {
  readonly change: RegistrationChange
  /** The whole file afterwards; null when it is removed. */
  readonly after?: string | null
  /** The contents that a later undo still has to restore. */
  readonly kept?: Kept
}

export function undo(options: UndoOptions): readonly RegistrationChange[] {
  const { names, server, isDry } = options
  const record = readRecord(options.record)
  const isMeant = ({ name }: KnownClient) => {
    const kept = record[name]
    return names.length > 0
      ? names.includes(name)
      : kept !== undefined && (server === null || serversOf(kept).includes(server))
  }
  return knownClients.filter(isMeant).map((client) => {
    const { change, after, kept } = plan(client, record[client.name], options)
    if (isDry || after === undefined) return change
    if (after === null) rmSync(change.path, { force: true })
    else replaceFile(change.path, after)
    delete record[client.name]
    if (kept !== undefined) record[client.name] = kept
    writeRecord(options.record, record)
    return change
  })
}

function plan(client: KnownClient, kept: Kept | undefined, { folders, server }: UndoOptions): PlannedUndo {
  const path = kept?.path ?? client.file(folders)
  const about = { client: client.name, title: client.title, path, note: '' }
  const ours = kept === undefined ? [] : serversOf(kept)
  const [own = ownServerName] = ours
  const going = server === null ? (ours.length > 0 ? ours : [own]) : [server]
  const staying = ours.filter((name) => !going.includes(name))
  try {
    const text = readText(path)
    const isThere = text !== null && going.some((name) => readServer(client, text, name) !== null)
    const isAsLeft = kept !== undefined && text !== null && hash(text) === kept.afterHash
    if (text === null || (!isThere && !isAsLeft))
      return { change: { ...about, kind: 'same', detail: 'not registered' } }
    if (isAsLeft && staying.length === 0)
      return { change: { ...about, kind: 'restore', detail: 'as it was before' }, after: kept.before }
    const after = withoutServers(client, text, going, kept?.before ?? null)
    const why = staying.length > 0 ? `${staying.join(', ')} stays` : 'the file has been changed since'
    const change = { ...about, kind: 'remove', detail: `the entry alone: ${why}` } as const
    if (kept === undefined || staying.length === 0) return { change, after }
    return { change, after, kept: { ...kept, servers: staying, afterHash: isAsLeft ? hash(after) : kept.afterHash } }
  } catch (error) {
    return { change: { ...about, kind: 'problem', detail: `${problemOf(error)}; it is left alone` } }
  }
}
