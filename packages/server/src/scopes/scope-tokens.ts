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
  TermError,
} from '@agentpty/protocol'
import {
  type CallerScope,
  KeptScope,
  type NamedScope,
  ScopeName,
  type ScopeTokens,
  scopeFileBytesMax,
  scopesMax,
  scopesSettledMs,
} from '@agentpty/protocol/scope'
import { parseObject } from '@agentpty/protocol/wire'
import { createPrivate } from '../files/index.ts'
import { noteRevoked } from './scope-guard.ts'

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
        throw invalidInput(`There is no scope "${name}".`, 'Those that there are: agentpty token --list')
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
      `The token of the scope "${name}" cannot be kept: ${(error as Error).message}.`,
      `Make room on the disk, and make ${folder} a folder of yours.`,
    )
  }
  if (!isMade)
    throw new TermError('name_taken', `There is a scope "${name}" already.`, 'Revoke it first, or choose another name.')
}

/** Returns the scopes by name; none without a folder. Files that are no valid scope are skipped and give no access. */
export function readScopes(folder: string): readonly NamedScope[] {
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
export const changedAt = (folder: string): Millis => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0

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
