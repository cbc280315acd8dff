/**
 * Notes of scopes that were revoked, a file each beside those of the scopes: who did it and when, until a server has recorded it. The
 * command line writes them, and asks no server.
 */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type NamedScope, RevokedScope, scopeFileBytesMax, scopesMax } from '@agentpty/protocol/scope'
import { parseObject } from '@agentpty/protocol/wire'
import { writePrivate } from '../files/index.ts'

const [prefix, ending] = ['.revoked-', '.json']

/** Before the file of the scope is removed. Where no server ever looks, only so many are kept as there may be scopes. */
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
