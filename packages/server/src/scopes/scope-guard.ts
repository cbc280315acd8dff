/**
 * The guard of scopes: a caller that has one touches its own terminals and no others, by any verb and any stream.
 *
 * The record of a verb says what it touches, and whether viewers may call it. The engine that its handler gets shows the same terminals, so that what a name means cannot
 * change in between, and lists hold nothing else.
 */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hostSeenBy, type SeenHost } from '@agentpty/engine/host'
import type { Call, Guard } from '@agentpty/protocol/call'
import {
  type NamedScope,
  onlyLooks,
  outsideScope,
  RevokedScope,
  scopeEnded,
  scopeFileBytesMax,
  scopesMax,
} from '@agentpty/protocol/scope'
import { isVerbName, type Touches, verbs } from '@agentpty/protocol/verbs'
import { parseObject } from '@agentpty/protocol/wire'
import type { Handlers } from '../call/index.ts'
import { writePrivate } from '../files/index.ts'

interface Access {
  readonly touches: Touches
  readonly forViewers: boolean
}

/** Calls that are no verbs. The server's state covers all terminals, and stopping it ends them all. */
const others: Readonly<Record<'tool' | 'follow' | 'watch' | 'status' | 'stop', Access>> = {
  // Each verb that it calls is looked at.
  tool: { touches: 'own', forViewers: false },
  follow: { touches: ['terminalId'], forViewers: true },
  watch: { touches: 'own', forViewers: true },
  status: { touches: 'unscoped', forViewers: false },
  stop: { touches: 'unscoped', forViewers: false },
}

/** Errors: `denied` for what no scope may, and once its token does not count; `session_not_found` for terminals of others. */
export function scopeGuard(host: SeenHost): Guard {
  return ({ name, input, context: { scope }, typesInto }) => {
    if (scope === undefined) return
    if (!scope.holds()) throw scopeEnded(scope)
    const { touches, forViewers } = accessOf(name)
    if (scope.view !== undefined && !forViewers) throw onlyLooks(name)
    if (touches === 'unscoped') throw outsideScope(scope, name)
    const seen = hostSeenBy(host, scope)
    if (typesInto !== undefined) seen.find(typesInto)
    if (touches === 'own') return
    for (const field of touches) for (const terminal of namedIn(input, field)) seen.find(terminal)
  }
}

function accessOf(name: Call['name']): Access {
  if (!isVerbName(name)) return others[name]
  const { touches, safety } = verbs[name]
  return { touches, forViewers: safety.callers === 'viewer' }
}

function namedIn(input: unknown, field: 'terminalId' | 'terminalIds'): readonly string[] {
  const named = (input as { readonly [Field in typeof field]?: string | readonly string[] })[field]
  return named === undefined ? [] : [named].flat()
}

export const scopeHandlers = {
  revoke: async ({ approvals }, { grantId }) => ({ grant: approvals.revoke(grantId) }),
} satisfies Partial<Handlers>

// Notes of revoked scopes, a file each: by whom and when, until a server has recorded it. The command line writes them by itself.

const prefix = '.revoked-'
const ending = '.json'

/** Notes a revocation before the scope's file is removed. Without a server at most as many notes are kept as there may be scopes. */
export function noteRevoked(folder: string, scope: NamedScope, revokedAt: number, revokedBy: string): void {
  const { hash: _, ...known } = scope
  const names = revokedNames(folder)
  for (const one of names.slice(0, Math.max(0, names.length + 1 - scopesMax)))
    rmSync(join(folder, one), { force: true })
  writePrivate(join(folder, `${prefix}${scope.id}${ending}`), `${JSON.stringify({ ...known, revokedAt, revokedBy })}\n`)
}

export function revokedNames(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(ending))
}

/** Null for what is none. */
export function readRevoked(path: string): RevokedScope | null {
  return RevokedScope.safeParse(readObject(path, scopeFileBytesMax)).data ?? null
}

/** Null for what is not there, too large, or no JSON object. */
export function readObject(path: string, bytesMax: number): object | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size <= bytesMax ? parseObject(readFileSync(path, 'utf8')) : null
}
