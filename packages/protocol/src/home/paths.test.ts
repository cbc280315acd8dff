import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { instanceVariables, olderRunFolders, resolvePaths } from './paths.ts'

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
    runFolder: '/s/agentpty/run',
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

test('the folder of the sockets follows from the state folder and the user alone', () => {
  const bare = { HOME: '/u' }
  const { runFolder } = resolvePaths(bare, 1)
  for (const more of [{ XDG_RUNTIME_DIR: '/run/user/1' }, { TMPDIR: '/elsewhere' }, { XDG_CONFIG_HOME: '/c' }])
    assert.equal(resolvePaths({ ...bare, ...more }, 1).runFolder, runFolder)
  const deep = { AGENTPTY_HOME: `/${'a'.repeat(100)}` }
  assert.equal(resolvePaths({ ...deep, TMPDIR: '/elsewhere' }, 1).runFolder, resolvePaths(deep, 1).runFolder)
  expect(resolvePaths(deep, 1).runFolder).toMatch(/^\/tmp\/agentpty-1-[0-9a-f]{16}$/)
})

test('a state folder whose file system has no sockets has a short folder of its own', () => {
  const { runFolder, shortRunFolder } = resolvePaths({ AGENTPTY_HOME: '/h' }, 1)
  assert.equal(runFolder, '/h/run')
  expect(shortRunFolder).toMatch(/^\/tmp\/agentpty-1-[0-9a-f]{16}$/)
})

test('the folders in which older versions kept their sockets are known', () => {
  const older = (env: Record<string, string>) => olderRunFolders(env, resolvePaths(env, 1), 1)
  expect(older({ HOME: '/u', XDG_RUNTIME_DIR: '/r' })).toEqual(['/r/agentpty', '/run/user/1/agentpty'])
  expect(older({ HOME: '/u' })).toEqual(['/run/user/1/agentpty'])
  expect(older({ AGENTPTY_HOME: '/h', XDG_RUNTIME_DIR: '/r' })).toEqual([])
  expect(older({ AGENTPTY_HOME: `/${'a'.repeat(100)}`, TMPDIR: '/t/' })).toEqual([
    expect.stringMatching(/^\/t\/agentpty-1-[0-9a-f]{16}$/),
  ])
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['nothing where all is at its default', { HOME: '/u', XDG_STATE_HOME: '/u/.local/state', XDG_CACHE_HOME: '' }, {}],
  [
    'AGENTPTY_HOME alone, made absolute',
    { AGENTPTY_HOME: '/h/../i', HOME: '/u', XDG_STATE_HOME: '/s' },
    { AGENTPTY_HOME: '/i' },
  ],
  [
    'the folders that are elsewhere',
    { HOME: '/u', XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/u/.config' },
    { XDG_STATE_HOME: '/s' },
  ],
  ['no folder of the session', { HOME: '/u', XDG_RUNTIME_DIR: '/run/user/1' }, {}],
])('variables that lead to the same instance: %s', (_what, env, variables) => {
  expect(instanceVariables(env)).toEqual(variables)
  expect(resolvePaths({ HOME: '/u', ...variables }, 1)).toEqual(resolvePaths(env, 1))
})
