import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Scopes, scopeTokens } from './scope-tokens.ts'

let folder: string
/** The wall's time is that of the file system, by which a folder is known to have changed. */
const clock = systemClock
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'agentpty-scopes-')), 'scopes')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const tokens = () => scopeTokens(folder, clock, 'agentpty CLI (ada)')

test('a token counts at once, also where others were looked for a moment ago', () => {
  const scopes = new Scopes(folder, clock)
  expect(scopes.byToken('none')).toBeNull()
  const first = tokens().create('first', null)
  expect(scopes.byToken(first.token)).toMatchObject({ id: first.scope.id, name: 'first' })
  const second = tokens().create('second', null)
  expect(scopes.byToken(second.token)).toMatchObject({ id: second.scope.id })
})

test('one that is revoked counts no more', () => {
  const scopes = new Scopes(folder, clock)
  const { token } = tokens().create('short', null)
  const scope = scopes.byToken(token)
  expect(scope?.holds()).toBe(true)
  tokens().revoke('short')
  expect(scope?.holds()).toBe(false)
  expect(scopes.byToken(token)).toBeNull()
})

test('a token that is none is looked for again only where the folder may have changed', () => {
  const scopes = new Scopes(folder, clock)
  const { token } = tokens().create('old', null)
  const longAgo = clock.wall() / 1_000 - 3_600
  utimesSync(folder, longAgo, longAgo)
  expect(scopes.byToken('none')).toBeNull()
  rmSync(join(folder, 'old.json'))
  utimesSync(folder, longAgo, longAgo)
  expect(scopes.byToken('another')).toBeNull()
  expect(scopes.byToken(token)).not.toBeNull()
})
