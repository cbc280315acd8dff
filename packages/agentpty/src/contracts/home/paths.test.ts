import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { resolvePaths } from './paths.ts'

test('a home keeps everything in one folder', () => {
  expect(resolvePaths({ AGENTPTY_HOME: '/h', HOME: '/u', XDG_RUNTIME_DIR: '/run/user/1' }, 1)).toMatchObject({
    home: '/h',
    configFolder: '/h',
    stateFolder: '/h',
    cacheFolder: '/h/cache',
    runFolder: '/h/run',
    daemonSocket: '/h/run/daemon.sock',
    lastId: '/h/last-id',
    log: '/h/daemon.log',
  })
})

test('without one the folders are those of the user', () => {
  expect(resolvePaths({ HOME: '/u' }, 1)).toMatchObject({
    home: null,
    configFolder: '/u/.config/agentpty',
    stateFolder: '/u/.local/state/agentpty',
    cacheFolder: '/u/.cache/agentpty',
    runFolder: '/u/.local/state/agentpty/run',
  })
  const env = { HOME: '/u', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k', XDG_RUNTIME_DIR: '/r' }
  expect(resolvePaths(env, 1)).toMatchObject({
    configFolder: '/c/agentpty',
    stateFolder: '/s/agentpty',
    cacheFolder: '/k/agentpty',
    runFolder: '/r/agentpty',
  })
})

test('an empty variable counts as none, a relative home is made absolute', () => {
  assert.equal(resolvePaths({ AGENTPTY_HOME: '', HOME: '/u' }, 1).home, null)
  assert.equal(resolvePaths({ AGENTPTY_HOME: 'here', HOME: '/u' }, 1).home, `${process.cwd()}/here`)
})

test('sockets in a deep home get a short folder, one for each home and user', () => {
  const deep = (name: string, user: number) => resolvePaths({ AGENTPTY_HOME: `/${name.repeat(100)}` }, user)
  const one = deep('a', 1)
  for (const socket of [one.daemonSocket, one.hostSocket]) assert.ok(Buffer.byteLength(socket) <= 100)
  assert.equal(one.stateFolder, `/${'a'.repeat(100)}`)
  assert.equal(deep('a', 1).runFolder, one.runFolder)
  assert.notEqual(deep('b', 1).runFolder, one.runFolder)
  assert.notEqual(deep('a', 2).runFolder, one.runFolder)
})
