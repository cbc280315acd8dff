/** The tokens of scopes: a file each, named after the scope, with the token's hash; the token itself is shown once. */

import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Clock,
  invalidInput,
  limitReached,
  type Millis,
  machineUnfit,
  makeFolder,
  systemReason,
  TermError,
} from '@agentpty/protocol'
import {
  type CallerScope,
  KeptScope,
  type NamedScope,
  type RecordedScopeEntry,
  RecordedScopeList,
  type RevokedScope,
  recordedScopesBytesMax,
  type ScopeChange,
  ScopeName,
  type ScopeTokens,
  scopeFileBytesMax,
  scopesMax,
  scopesSettledMs,
} from '@agentpty/protocol/scope'
import { parseObject } from '@agentpty/protocol/wire'
import { createPrivate, writePrivate } from '../files/index.ts'
import { noteRevoked, readObject, readRevoked, revokedNames } from './scope-guard.ts'

const ending = '.json'

/** `by`: who asks, in words for persons. */
export function scopeTokens(folder: string, clock: Pick<Clock, 'wall'>, by: string): ScopeTokens {
  return {
    now: () => clock.wall(),
    list: () => readScopes(folder),
    create: (name, expiresAt) => create(folder, { name, createdAt: clock.wall(), expiresAt, by }),
    revoke: (name) => {
      const found = readScopes(folder).find((scope) => scope.name === name)
      if (found === undefined)
        throw invalidInput(`There is no scope "${name}".`, 'List the scopes: agentpty token --list')
      noteRevoked(folder, found, clock.wall(), by)
      rmSync(join(folder, `${name}${ending}`), { force: true })
      return found
    },
  }
}

type Draft = Pick<NamedScope, 'name' | 'createdAt' | 'expiresAt'> & { readonly by: string }

function create(folder: string, { name, createdAt, expiresAt, by }: Draft): ReturnType<ScopeTokens['create']> {
  const parsed = ScopeName.safeParse(name)
  if (!parsed.success) throw invalidInput(`"${name}" is no name for a scope: ${parsed.error.issues[0]?.message}.`, '')
  const scopes = readScopes(folder)
  const over = scopes.filter((one) => isOver(one, createdAt))
  const open = scopes.filter((one) => !isOver(one, createdAt))
  for (const one of over) rmSync(join(folder, `${one.name}${ending}`), { force: true })
  if (open.length >= scopesMax)
    throw limitReached(`There are ${scopesMax} scopes.`, 'Revoke some: agentpty token --revoke NAME')
  const token = `agentpty-scope-${randomBytes(32).toString('base64url')}`
  const scope = { id: randomBytes(8).toString('hex'), hash: hashOf(token), createdAt, expiresAt, by }
  keep(folder, name, scope)
  return { token, scope: { name, ...scope } }
}

/** Stores a new scope. Of two that are made at the same moment, one gets the name. */
function keep(folder: string, name: string, scope: KeptScope): void {
  let isMade: boolean
  try {
    makeFolder(folder)
    isMade = createPrivate(join(folder, `${name}${ending}`), `${JSON.stringify(scope)}\n`)
  } catch (error) {
    throw machineUnfit(
      `The token of the scope "${name}" cannot be kept: ${systemReason(error)}.`,
      `Make room on the disk, and make ${folder} a folder of yours.`,
    )
  }
  if (!isMade)
    throw new TermError('name_taken', `There is a scope "${name}" already.`, 'Revoke it first, or choose another name.')
}

/** Returns the scopes by name; none without a folder. Files that are no valid scope are skipped and give no access. */
function readScopes(folder: string): readonly NamedScope[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.startsWith('.'))
  return names.sort().flatMap((file) => {
    const scope = readScope(join(folder, file))
    return scope === null ? [] : [{ ...scope, name: file.slice(0, -ending.length) }]
  })
}

function readScope(path: string): KeptScope | null {
  try {
    if (statSync(path).size > scopeFileBytesMax) return null
    return KeptScope.safeParse(parseObject(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    // The scope was revoked at this moment, or its file is unreadable: it gives no access.
    return null
  }
}

/** Zero without a folder. */
const changedAt = (folder: string): Millis => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const isOver = ({ expiresAt }: KeptScope, wall: number) => expiresAt !== null && expiresAt <= wall

/** The scopes as a server knows them; read again at each use for which their folder has changed. */
export class Scopes {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'wall'>
  #known: readonly NamedScope[] = []
  /** Time of the folder's last change when it was read. */
  #changedAt: Millis = 0

  constructor(folder: string, clock: Pick<Clock, 'wall'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Null for a token that is none, or none any more. */
  byToken(token: string): CallerScope | null {
    const hash = hashOf(token)
    const found = this.#open().find((scope) => scope.hash === hash)
    return found === undefined ? null : this.#scope(found)
  }

  /** The scope of a terminal, which may be over. */
  byName(name: string): CallerScope | null {
    const found = this.#open().find((scope) => scope.name === name)
    return found === undefined ? null : this.#scope(found)
  }

  byId(id: string): CallerScope {
    return this.#scope({ id, name: this.#all().find((scope) => scope.id === id)?.name ?? id })
  }

  #scope({ id, name }: Pick<NamedScope, 'id' | 'name'>): CallerScope {
    return { id, name, holds: () => this.#open().some((scope) => scope.id === id) }
  }

  #open(): readonly NamedScope[] {
    const wall = this.#clock.wall()
    return this.#all().filter((scope) => !isOver(scope, wall))
  }

  #all(): readonly NamedScope[] {
    const at = changedAt(this.#folder)
    // A folder that has just changed may have changed again within the resolution of its time.
    if (at === this.#changedAt && Math.abs(this.#clock.wall() - at) > scopesSettledMs) return this.#known
    this.#changedAt = at
    this.#known = readScopes(this.#folder)
    return this.#known
  }
}

const reportedName = '.told.json'

/** Changes of scopes since a server last checked, made by the command line without a server; stored, so that none is reported twice. */
export class ScopeChanges {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'wall'>
  /** By id. */
  readonly #reported: Map<string, RecordedScopeEntry>
  /** Notes that were reported and still exist. */
  readonly #done = new Set<string>()
  /** When the folder had changed last as it was looked at; null before. */
  #seenAt: Millis | null = null
  #isKept = true

  constructor(folder: string, clock: Pick<Clock, 'wall'>) {
    this.#folder = folder
    this.#clock = clock
    const reported =
      RecordedScopeList.safeParse(readObject(join(folder, reportedName), recordedScopesBytesMax)).data?.scopes ?? []
    this.#reported = new Map(reported.map((scope) => [scope.id, scope]))
  }

  /** In their order, each once; it costs little while nothing has changed. Errors: those of the file system. */
  look(): readonly ScopeChange[] {
    if (!this.#mayHaveChanged()) return []
    const isThere = statSync(this.#folder, { throwIfNoEntry: false }) !== undefined
    const notes = isThere ? revokedNames(this.#folder).filter((name) => !this.#done.has(name)) : []
    const revoked = notes.flatMap((name) => readRevoked(join(this.#folder, name)) ?? [])
    const present = readScopes(this.#folder)
    const made = this.#made([...revoked, ...present])
    const changes = [...made, ...revoked.map((one) => this.#revoked(one)), ...this.#gone(present)]
    for (const name of notes) this.#done.add(name)
    if (changes.length > 0 || notes.length > 0) this.#isKept = false
    return changes.sort((one, other) => one.at - other.at)
  }

  /** Stores that all reported changes are recorded. Errors: `machine_unfit`, and those of the file system. */
  keep(): void {
    if (this.#isKept) return
    this.#isKept = true
    // All scopes were removed, which was reported.
    if (statSync(this.#folder, { throwIfNoEntry: false }) === undefined) return
    writePrivate(join(this.#folder, reportedName), `${JSON.stringify({ scopes: [...this.#reported.values()] })}\n`)
    for (const name of this.#done) rmSync(join(this.#folder, name), { force: true })
    this.#done.clear()
  }

  /** A folder that has just changed may change again at what its clock takes for the same moment. */
  #mayHaveChanged(): boolean {
    const wall = this.#clock.wall()
    const at = changedAt(this.#folder)
    const isSettled = this.#seenAt === at && Math.abs(wall - at) > scopesSettledMs
    this.#seenAt = at
    return !isSettled || [...this.#reported.values()].some((scope) => hasExpired(scope, wall))
  }

  #made(scopes: readonly (RevokedScope | NamedScope)[]): readonly ScopeChange[] {
    const fresh = scopes.filter(({ id }) => !this.#reported.has(id))
    for (const { id, name, expiresAt } of fresh) this.#reported.set(id, { id, name, expiresAt, isOver: false })
    return fresh.map(({ id, name, createdAt, by, expiresAt }) => ({
      event: 'made',
      id,
      name,
      at: createdAt,
      by: by ?? null,
      expiresAt,
    }))
  }

  #revoked({ id, name, revokedAt, revokedBy, expiresAt }: RevokedScope): ScopeChange {
    this.#reported.delete(id)
    return { event: 'revoked', id, name, at: revokedAt, by: revokedBy, expiresAt }
  }

  /** Returns the scopes that have expired, and those whose files were removed without a note. */
  #gone(present: readonly NamedScope[]): readonly ScopeChange[] {
    const wall = this.#clock.wall()
    const ids = new Set(present.map(({ id }) => id))
    return [...this.#reported.values()].flatMap((scope): readonly ScopeChange[] => {
      const { id, name, expiresAt, isOver } = scope
      const isThere = ids.has(id)
      const isExpired = hasExpired(scope, wall)
      if (!isThere) this.#reported.delete(id)
      else if (isExpired) this.#reported.set(id, { ...scope, isOver: true })
      if (isExpired) return [{ event: 'expired', id, name, at: expiresAt ?? wall, by: null, expiresAt }]
      return isThere || isOver ? [] : [{ event: 'revoked', id, name, at: wall, by: null, expiresAt }]
    })
  }
}

/** Returns whether a scope has expired and this was not reported yet. */
const hasExpired = ({ expiresAt, isOver }: RecordedScopeEntry, wall: number) =>
  !isOver && expiresAt !== null && expiresAt <= wall
