/** Changes of scopes since a server last checked, made by the command line without a server; stored, so that none is reported twice. */

import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Millis } from '@agentpty/protocol'
import {
  type NamedScope,
  type RecordedScopeEntry,
  RecordedScopeList,
  type RevokedScope,
  recordedScopesBytesMax,
  type ScopeChange,
  scopesSettledMs,
} from '@agentpty/protocol/scope'
import { writePrivate } from '../files/index.ts'
import { readObject, readRevoked, revokedNames } from './scope-guard.ts'
import { changedAt, readScopes } from './scope-tokens.ts'

const reportedName = '.told.json'

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

  /** Stores that all reported changes are recorded. Errors: `environment`, and those of the file system. */
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
