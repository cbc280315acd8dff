import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolvePaths } from '@agentpty/protocol/home'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withSockets } from './socket-support.ts'

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
