import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolvePaths } from '@agentpty/protocol/home'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { httpToken, readToken, withSockets } from './http-token.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-token-'))
  path = join(folder, 'state', 'token')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it is made once, for its user alone, and nothing else is left', () => {
  const token = httpToken(path)
  expect([token.length, httpToken(path), statSync(path).mode & 0o777]).toEqual([43, token, 0o600])
  expect(readdirSync(join(folder, 'state'))).toEqual(['token'])
})

test.each<[string, string]>([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['too little to keep anybody out', 'abc\n'],
  ['two lines', `${'a'.repeat(20)}\n${'b'.repeat(20)}\n`],
  ['far too much', 'a'.repeat(1_000_000)],
  ['zeros, as after a crash', '\0'.repeat(44)],
])('a file that holds %s gets a new one', (_what, text) => {
  mkdirSync(join(folder, 'state'))
  writeFileSync(path, text, { mode: 0o644 })
  expect(readToken(path)).toBeNull()
  const token = httpToken(path)
  expect([token.length, readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([43, `${token}\n`, 0o600])
})

test('a token that the user has chosen stays', () => {
  mkdirSync(join(folder, 'state'))
  writeFileSync(path, 'chosen-by-a-person-0123')
  expect(httpToken(path)).toBe('chosen-by-a-person-0123')
})

test('what is no file is named', () => {
  mkdirSync(path, { recursive: true })
  expect(() => httpToken(path)).toThrow(path)
  chmodSync(path, 0o700)
})

const userId = process.getuid?.() ?? 0
let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-sockets-')))
})
afterEach(() => {
  rmSync(paths().shortRunFolder, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
})

const paths = () => resolvePaths({ AGENTPTY_HOME: home }, userId)

test('a folder that has sockets is used, and nothing is left in it', async () => {
  expect(await withSockets(paths(), userId)).toEqual(paths())
  expect(readdirSync(paths().runFolder)).toEqual([])
})

test.each(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL'])(
  'where a file system refuses sockets with %s the short folder is used, and is private',
  async (code) => {
    const found = await withSockets(paths(), userId, async () => code)
    expect(found).toMatchObject({
      runFolder: paths().shortRunFolder,
      daemonSocket: join(paths().shortRunFolder, 'daemon.sock'),
      hostSocket: join(paths().shortRunFolder, 'ptyhost-1.sock'),
      lock: paths().lock,
    })
    expect(statSync(found.runFolder).mode & 0o777).toBe(0o700)
  },
)

test('another error is left to the daemon, which reports it', async () => {
  expect(await withSockets(paths(), userId, async () => 'EACCES')).toEqual(paths())
})
