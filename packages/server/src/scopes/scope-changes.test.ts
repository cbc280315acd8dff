import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { scopesMax } from '@agentpty/protocol/scope'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { revokedNames } from './scope-guard.ts'
import { ScopeChanges, scopeTokens } from './scope-tokens.ts'

let folder: string
/** Near the time of the file system, by which a folder is known to have changed. */
let begun: number
let wall: number
const clock = { wall: () => begun + wall }
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'agentpty-scopes-')), 'scopes')
  begun = systemClock.wall()
  wall = 0
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const tokens = () => scopeTokens(folder, clock, 'agentpty CLI (ada)')
/** Returns the changes that one server sees at this moment. */
const seenBy = (changes: ScopeChanges) => changes.look().map(({ event, name, at, by }) => [event, name, at - begun, by])

test('each scope that is made, revoked or expires is reported once, with its author and time', () => {
  const changes = new ScopeChanges(folder, clock)
  expect(seenBy(changes)).toEqual([])
  tokens().create('a', null)
  tokens().create('b', begun + 200)
  expect(seenBy(changes)).toEqual([
    ['made', 'a', 0, 'agentpty CLI (ada)'],
    ['made', 'b', 0, 'agentpty CLI (ada)'],
  ])
  wall = 100
  tokens().revoke('a')
  wall = 300
  expect(seenBy(changes)).toEqual([
    ['revoked', 'a', 100, 'agentpty CLI (ada)'],
    ['expired', 'b', 200, null],
  ])
  expect(seenBy(changes)).toEqual([])
})

test('a change while no server runs is reported by the next one, and a saved change is not repeated', () => {
  const first = new ScopeChanges(folder, clock)
  tokens().create('a', null)
  expect(seenBy(first)).toHaveLength(1)
  first.keep()
  tokens().create('b', null)
  wall = 200
  tokens().revoke('b')
  wall = 220
  tokens().revoke('a')
  const second = new ScopeChanges(folder, clock)
  expect(seenBy(second)).toEqual([
    ['made', 'b', 0, 'agentpty CLI (ada)'],
    ['revoked', 'b', 200, 'agentpty CLI (ada)'],
    ['revoked', 'a', 220, 'agentpty CLI (ada)'],
  ])
  second.keep()
  expect(revokedNames(folder)).toEqual([])
  expect(seenBy(new ScopeChanges(folder, clock))).toEqual([])
})

test('a change that was reported and not saved is reported again by the next server', () => {
  tokens().create('a', null)
  for (const server of [new ScopeChanges(folder, clock), new ScopeChanges(folder, clock)])
    expect(seenBy(server)).toEqual([['made', 'a', 0, 'agentpty CLI (ada)']])
})

test('a removed file is a revocation without an author, and a scope of the same name is another', () => {
  const changes = new ScopeChanges(folder, clock)
  tokens().create('a', null)
  seenBy(changes)
  rmSync(join(folder, 'a.json'))
  tokens().create('a', null)
  wall = 170
  expect(seenBy(changes)).toEqual([
    ['made', 'a', 0, 'agentpty CLI (ada)'],
    ['revoked', 'a', 170, null],
  ])
})

test('an expired scope is reported once, also when its file is replaced by another', () => {
  tokens().create('a', begun + 200)
  const changes = new ScopeChanges(folder, clock)
  seenBy(changes)
  wall = 300
  expect(seenBy(changes)).toEqual([['expired', 'a', 200, null]])
  tokens().create('b', null)
  expect(seenBy(changes)).toEqual([['made', 'b', 300, 'agentpty CLI (ada)']])
})

test('where no server ever looks, notes are bounded', () => {
  for (let number = 0; number < scopesMax + 3; number++) {
    tokens().create('a', null)
    tokens().revoke('a')
  }
  expect(readdirSync(folder)).toHaveLength(scopesMax)
})
