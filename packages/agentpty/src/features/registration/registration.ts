/**
 * Registering with the clients of this machine: first what would change, then the change, and the way back.
 *
 * A file is replaced whole, by a rename, so that nobody ever reads half of it; a link stays a link. What stood in it before
 * is kept, and `undo` puts it back byte for byte unless somebody has changed the file since: then our entry alone goes.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { TermError } from '../../contracts/errors.ts'
import {
  type RegistrableClient,
  type Registrar,
  type RegistrationChange,
  registrableClients,
} from '../../contracts/registration.ts'
import { type KnownClient, knownClients, type UserPlaces } from './clients.ts'
import { MalformedFile } from './malformed-file.ts'

export interface RegistrationOptions {
  readonly places: UserPlaces
  /** PATH. */
  readonly searchPath: string
  /** What a client shall start. */
  readonly command: readonly string[]
  /** Keeps what stood in the files before. */
  readonly record: string
}

interface Planned extends RegistrationChange {
  /** The whole file afterwards; null when it goes. */
  readonly after?: string | null
}

interface Kept {
  readonly path: string
  /** Null when there was no file. */
  readonly before: string | null
  readonly afterHash: string
}

export function registrar(options: RegistrationOptions): Registrar {
  return {
    plan: (names) => chosen(options, names).map((client) => withoutText(plan(client, options))),
    register: (names) => register(options, names),
    undo: (names, isDry) => undo(options, names, isDry),
  }
}

function register(options: RegistrationOptions, names: readonly RegistrableClient[]): readonly RegistrationChange[] {
  const record = readRecord(options.record)
  const done = chosen(options, names).map((client) => {
    const planned = plan(client, options)
    if (planned.kind !== 'add' && planned.kind !== 'update') return withoutText(planned)
    const before = readText(planned.path)
    const after = planned.after ?? ''
    // What was there before us stays what is gone back to, however often we come.
    const known = record[client.name]
    const original = known?.afterHash === hash(before ?? '') ? known.before : before
    replaceFile(planned.path, after)
    record[client.name] = { path: planned.path, before: original, afterHash: hash(after) }
    writeRecord(options.record, record)
    return withoutText(planned)
  })
  return done
}

function undo(
  options: RegistrationOptions,
  names: readonly RegistrableClient[],
  isDry: boolean,
): readonly RegistrationChange[] {
  const record = readRecord(options.record)
  const registered = registrableClients.filter((name) => name in record)
  return chosen(options, names.length > 0 ? names : registered, true).map((client) => {
    const planned = planUndo(client, record[client.name], options)
    if (isDry || planned.after === undefined) return withoutText(planned)
    if (planned.after === null) rmSync(planned.path, { force: true })
    else replaceFile(planned.path, planned.after)
    delete record[client.name]
    writeRecord(options.record, record)
    return withoutText(planned)
  })
}

function chosen(
  { places, searchPath }: RegistrationOptions,
  names: readonly RegistrableClient[],
  isOnly = names.length > 0,
): readonly KnownClient[] {
  if (isOnly) return knownClients.filter(({ name }) => names.includes(name))
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  const isInstalled = ({ programs, file }: KnownClient) =>
    existsSync(file(places)) ||
    // Its own folder, not one that is everybody's.
    (dirname(file(places)) !== places.home && existsSync(dirname(file(places)))) ||
    programs.some((program) => folders.some((folder) => existsSync(join(folder, program))))
  return knownClients.filter(isInstalled)
}

function plan(client: KnownClient, { places, command }: RegistrationOptions): Planned {
  const path = client.file(places)
  const about = { client: client.name, title: client.title, path }
  const entry = client.entry(command)
  return guarded(about, () => {
    const text = readText(path) ?? ''
    const known = text === '' ? null : client.read(text)
    const detail = JSON.stringify(entry)
    if (isDeepStrictEqual(known, entry)) return { ...about, kind: 'same', detail }
    return { ...about, kind: known === null ? 'add' : 'update', detail, after: client.set(text, entry) }
  })
}

function planUndo(client: KnownClient, kept: Kept | undefined, { places }: RegistrationOptions): Planned {
  const path = kept?.path ?? client.file(places)
  const about = { client: client.name, title: client.title, path }
  return guarded(about, () => {
    const text = readText(path)
    if (text === null || (kept === undefined && client.read(text) === null))
      return { ...about, kind: 'same', detail: 'not registered' }
    if (kept !== undefined && hash(text) === kept.afterHash)
      return { ...about, kind: 'restore', detail: 'as it was before', after: kept.before }
    return {
      ...about,
      kind: 'remove',
      detail: 'the entry alone: the file has been changed since',
      after: client.remove(text),
    }
  })
}

/** A file that cannot be read is a problem of its own, and none of the other clients'. */
function guarded(about: Pick<RegistrationChange, 'client' | 'title' | 'path'>, look: () => Planned): Planned {
  try {
    return look()
  } catch (error) {
    const isMalformed = error instanceof MalformedFile
    const reason = error instanceof Error ? error.message : String(error)
    return { ...about, kind: 'problem', detail: isMalformed ? `cannot be read (${reason}); it is left alone` : reason }
  }
}

const withoutText = ({ after: _after, ...change }: Planned): RegistrationChange => change

/** Null when there is no file. Errors: {@link MalformedFile} for what would not come back as it was. */
function readText(path: string): string | null {
  if (!existsSync(path)) return null
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new MalformedFile('it is not UTF-8')
  return text
}

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const target = existsSync(path) ? realpathSync(path) : path
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
  const fresh = `${target}.agentpty-${process.pid}`
  writeFileSync(fresh, text, { mode })
  renameSync(fresh, target)
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Errors: `invalid_input`; without the record nothing could be put back, so nothing is changed either. */
function readRecord(path: string): Record<string, Kept> {
  const text = readText(path)
  if (text === null) return {}
  try {
    return JSON.parse(text) as Record<string, Kept>
  } catch {
    throw new TermError(
      'invalid_input',
      `${path} cannot be read: it keeps what stood in the clients' files before.`,
      'Mend it, or move it away: then --undo --client NAME takes out that entry alone.',
    )
  }
}

function writeRecord(path: string, record: Readonly<Record<string, Kept>>): void {
  if (Object.keys(record).length === 0) rmSync(path, { force: true })
  else replaceFile(path, `${JSON.stringify(record, null, 2)}\n`)
}
