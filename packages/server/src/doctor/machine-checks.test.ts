import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigSetting, resolvePaths } from '@agentpty/protocol/home'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  nodeVersion,
  programPath,
  runFolderIsPrivate,
  sandboxHolds,
  scopesArePrivate,
  stateFolderIsOurs,
  tokenIsPrivate,
} from './machine-checks.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentpty-doctor-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const userId = process.getuid?.() ?? 0
const paths = () => resolvePaths({ AGENTPTY_HOME: home }, userId)
const own = () => ({ paths: paths(), userId })

test.each([
  ['18.20.0', 'wrong'],
  ['20.18.9', 'wrong'],
  ['20.19.0', 'ok'],
  ['24.1.0', 'ok'],
])('Node %s is %s', (version, mark) => expect(nodeVersion(version).mark).toBe(mark))

test('the state folder may be read by others, but not written, and not be theirs', () => {
  chmodSync(home, 0o755)
  expect(stateFolderIsOurs(own())).toMatchObject({ mark: 'ok' })
  chmodSync(home, 0o775)
  expect(stateFolderIsOurs(own())).toMatchObject({ mark: 'wrong', advice: `chmod 700 ${home}` })
  expect(stateFolderIsOurs({ ...own(), userId: userId + 1 })).toMatchObject({ mark: 'wrong' })
})

test('the socket folder is one’s own alone, once it is there', () => {
  expect(runFolderIsPrivate(own())).toMatchObject({ mark: 'ok', found: expect.stringContaining('not there yet') })
  mkdirSync(paths().runFolder, { mode: 0o700 })
  expect(runFolderIsPrivate(own())).toMatchObject({ mark: 'ok' })
  chmodSync(paths().runFolder, 0o750)
  expect(runFolderIsPrivate(own())).toMatchObject({ mark: 'wrong', advice: `chmod 700 ${paths().runFolder}` })
})

test('the token is one’s own alone, once it is made', () => {
  expect(tokenIsPrivate(own())).toMatchObject({ mark: 'ok', found: 'not made yet' })
  writeFileSync(paths().token, '', { mode: 0o600 })
  expect(tokenIsPrivate(own())).toMatchObject({ mark: 'wrong', found: expect.stringContaining('holds no token') })
  writeFileSync(paths().token, 'x'.repeat(43))
  expect(tokenIsPrivate(own())).toMatchObject({ mark: 'ok' })
  chmodSync(paths().token, 0o640)
  expect(tokenIsPrivate(own())).toMatchObject({ mark: 'wrong', found: expect.stringContaining('(640)') })
})

test('the tokens of scopes are one’s own alone, the folder and each file in it', () => {
  const { scopes } = paths()
  const file = join(scopes, 'reviewer.json')
  expect(scopesArePrivate(own())).toMatchObject({ mark: 'ok', found: 'none made yet' })
  mkdirSync(scopes, { mode: 0o700 })
  writeFileSync(file, '{}', { mode: 0o600 })
  writeFileSync(join(scopes, '.told.json'), '{}', { mode: 0o600 })
  expect(scopesArePrivate(own())).toMatchObject({ mark: 'ok', found: `1 in ${scopes}` })
  chmodSync(file, 0o644)
  expect(scopesArePrivate(own())).toMatchObject({
    mark: 'wrong',
    found: `other users may open ${file} (644)`,
    advice: expect.stringContaining(`chmod 600 ${scopes}/*.json`),
  })
  chmodSync(file, 0o600)
  chmodSync(scopes, 0o770)
  expect(scopesArePrivate(own())).toMatchObject({
    mark: 'wrong',
    found: `${scopes} is open to other users`,
    advice: expect.stringContaining(`chmod 700 ${scopes}`),
  })
  chmodSync(scopes, 0o700)
  expect(scopesArePrivate({ ...own(), userId: userId + 1 })).toMatchObject({ mark: 'wrong' })
  symlinkSync(file, join(scopes, 'linked.json'))
  expect(scopesArePrivate(own())).toMatchObject({ mark: 'wrong', found: expect.stringContaining('no file of yours') })
})

test('a program is found on the path as a shell finds it', () => {
  writeFileSync(join(home, 'tool'), '', { mode: 0o755 })
  writeFileSync(join(home, 'text'), '', { mode: 0o644 })
  const env = { PATH: `/nowhere:${home}` }
  const found = ['tool', 'text', 'missing', join(home, 'tool'), home].map((name) => programPath(name, env))
  expect(found).toEqual([join(home, 'tool'), null, null, join(home, 'tool'), null])
})

test('where no sandbox is possible the advice says how to get one, and it is an error only where one is wanted', async () => {
  const trySandbox = async () => ({ what: 'bubblewrap (bwrap) is not installed', advice: 'apt install bubblewrap' })
  const hostProgram = async () => '/nowhere'
  const policy = (value: ConfigSetting['value']) => () => [
    { key: 'policy', variable: null, value, origin: '', help: '' } as const,
  ]
  const found = { found: 'bubblewrap (bwrap) is not installed', advice: 'apt install bubblewrap' }
  expect(await sandboxHolds({ trySandbox, hostProgram, explainConfig: policy(null) })).toEqual({
    mark: 'hint',
    ...found,
  })
  expect(await sandboxHolds({ trySandbox, hostProgram, explainConfig: policy({ sandbox: true }) })).toEqual({
    mark: 'wrong',
    ...found,
  })
})
