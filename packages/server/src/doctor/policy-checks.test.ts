import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyFileState } from '@agentpty/protocol/policy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examinePolicy } from './machine-checks.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'agentpty-doctor-')), '.agentpty')
  mkdirSync(folder, { mode: 0o755 })
  writeFileSync(path(), 'deny: [a]\n', { mode: 0o644 })
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const path = () => join(folder, 'policy.yaml')
const userId = process.getuid?.() ?? 0
const file = (more: Partial<PolicyFileState> = {}): PolicyFileState => ({
  path: path(),
  kind: 'repository',
  state: 'used',
  rules: 1,
  problems: [],
  ...more,
})
const seen = (files: readonly PolicyFileState[], user = userId) =>
  examinePolicy({ policyFiles: () => files, userId: user }).map(({ mark, found }) => [mark, found])

test('without files the policy is as it is built in', () => {
  expect(seen([])).toEqual([['ok', 'as it is built in']])
  expect(seen([file({ kind: 'user', state: 'absent', rules: 0 })])).toEqual([['ok', 'as it is built in']])
})

test('rules are counted, with where they come from', () => {
  expect(seen([file()])).toEqual([['ok', `1 rule of ${path()}`]])
})

test('a problem in a file is reported with its line', () => {
  const at = { file: path(), line: 3, found: 'no.', advice: 'do.' }
  const problems = (['wrong', 'ignored', 'doubtful'] as const).map((mark) => ({ ...at, mark }))
  expect(seen([file({ problems })])).toEqual(['wrong', 'hint', 'warn'].map((mark) => [mark, `${path()}:3: no.`]))
})

test('a file or a folder that others may write is reported', () => {
  chmodSync(path(), 0o666)
  expect(seen([file()])).toEqual([['warn', `other users may write ${path()}`]])
  chmodSync(path(), 0o644)
  chmodSync(folder, 0o777)
  expect(seen([file()])).toEqual([['warn', `other users may write ${folder}`]])
  chmodSync(folder, 0o1777)
  expect(seen([file()])[0]?.[0]).toBe('ok')
})

test('what cannot be found out is what was found', () => {
  const policyFiles = () => {
    throw new Error('no such home')
  }
  expect(examinePolicy({ policyFiles, userId })[0]).toMatchObject({ mark: 'wrong', found: 'no such home' })
})
