/** Inputs of a sandbox that are inspected before its start: tables, files of git, sockets, the environment. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { guardsInWorkspace, topFolders } from '@agentpty/shell-policy'
import { isGuard, isStart } from '@agentpty/shell-policy/testing'
import { expect, onTestFinished, test } from 'vitest'
import { isWorkspace, planMounts } from './plan-mounts.ts'
import { enclosingWords, type Mount } from './probe.ts'
import { environmentInside, linkedRepository, socketsIn } from './walls.ts'

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-parts-')))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function write(path: string, text = 'x'): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

test('what is kept in a workspace is what the policy knows as a guard, or as what starts by itself', () => {
  const known = (row: string) =>
    isGuard(`/srv/app/${row}`, { home: '/home/dev' }) || isStart(`/srv/app/${row}`, { home: '/home/dev' })
  const named = guardsInWorkspace.flatMap((row) => [row.replace('*', 'sub'), `${row.replace('*', 'sub')}/x`])
  const rows = guardsInWorkspace.map((row) => row.replace('*', 'sub'))
  expect(rows.filter((row) => !known(row) && !known(`${row}/x`))).toEqual([])
  expect(named.length).toBe(2 * rows.length)
})

test.each<[string, string, boolean]>([
  ['a folder below a home', '/home/dev/app', true],
  ['one that images of containers use', '/usr/src/app', true],
  ['a home', '/home/dev', false],
  ['what lies above it', '/home', false],
  ['everything', '/', false],
  ['what belongs to the system', '/etc/app', false],
  ['a folder of the system itself', '/usr', false],
  ['/tmp, which is the sandbox’s own', '/tmp', false],
  ['a folder below /tmp', '/tmp/app', true],
])('%s is a workspace: %s %s', (_what, path, is) => {
  expect(isWorkspace(path, '/home/dev', topFolders)).toBe(is)
})

test('a linked checkout writes into its repository, but only if that says so itself', () => {
  const root = folder()
  const main = join(root, 'main')
  const linked = join(root, 'linked')
  const forged = join(root, 'forged')
  write(join(main, '.git/HEAD'))
  write(join(main, '.git/worktrees/linked/gitdir'), `${join(linked, '.git')}\n`)
  write(join(main, '.git/worktrees/linked/commondir'), '../..\n')
  for (const one of [linked, forged]) write(join(one, '.git'), `gitdir: ${join(main, '.git/worktrees/linked')}\n`)
  expect(linkedRepository(linked)).toBe(join(main, '.git'))
  expect(linkedRepository(forged)).toBeNull()
  expect(linkedRepository(main)).toBeNull()
  write(join(forged, '.git'), `gitdir: ${root}\n`)
  expect(linkedRepository(forged)).toBeNull()
})

const limits = { memoryBytes: null, processes: 10, cpuSeconds: null, fileBytes: 0 }

function mountsOf(root: string, more: { writable?: string[]; hidden?: string[]; readOnly?: string[] } = {}): Mount[] {
  const sandbox = {
    network: 'off' as const,
    writable: [],
    readOnly: [],
    hidden: [],
    limits,
    proxyFolder: null,
    taskFolder: null,
    ...more,
  }
  const places = {
    home: join(root, 'home'),
    isRoot: false,
    own: [join(root, 'own')],
    needed: [],
    sockets: [],
    empty: '/e',
  }
  return planMounts(sandbox, places)
}

const at = (mounts: readonly Mount[], path: string) => mounts.filter((one) => one.path === path).map(({ kind }) => kind)

test('a secret that the caller names can be written, one that is only below what is named stays hidden', () => {
  const root = folder()
  const secret = write(join(root, 'home/.npmrc'))
  write(join(root, 'home/.aws/credentials'))
  expect(at(mountsOf(root), secret)).toEqual(['no-file'])
  expect(at(mountsOf(root), join(root, 'home/.aws'))).toEqual(['no-folder'])
  const named = mountsOf(root, { writable: [join(root, 'home'), secret] })
  expect(at(named, secret)).toEqual(['write'])
  expect(at(named, join(root, 'home/.aws'))).toEqual(['no-folder'])
})

test('a secret that is a link hides what it leads to', () => {
  const root = folder()
  const real = write(join(root, 'dotfiles/netrc'))
  mkdirSync(join(root, 'home'))
  symlinkSync(real, join(root, 'home/.netrc'))
  expect(at(mountsOf(root, { writable: [join(root, 'dotfiles')] }), real)).toEqual(['no-file'])
})

test('links in a workspace may lead anywhere, so they are neither kept nor followed', () => {
  const root = folder()
  const outside = write(join(root, 'outside/settings.json'))
  mkdirSync(join(root, 'app/.claude'), { recursive: true })
  symlinkSync(outside, join(root, 'app/.claude/settings.json'))
  const mounts = mountsOf(root, { writable: [join(root, 'app')] })
  expect(mounts.map(({ path }) => path)).not.toContain(outside)
  expect(at(mounts, join(root, 'app'))).toEqual(['write'])
})

test('a folder of agentpty is never there, whatever is named', () => {
  const root = folder()
  write(join(root, 'own/token'))
  const mounts = mountsOf(root, { writable: [root, join(root, 'own')] })
  expect(at(mounts, join(root, 'own'))).toEqual(['no-folder'])
})

test('bubblewrap gets only arguments that Debian 12 has, and none that takes the terminal away', () => {
  const mounts: Mount[] = [{ kind: 'no-folder', path: '/a' }]
  const where = {
    bubblewrap: '/usr/bin/bwrap',
    cwd: '/w',
    hasNetwork: false,
    mounts,
    proxyFolder: null,
    taskFolder: null,
    limits,
  }
  const words = enclosingWords({ ...where, isRoot: false })
  expect(words).not.toContain('--new-session')
  expect(words.slice(words.indexOf('--tmpfs'), words.indexOf('--tmpfs') + 2)).toEqual(['--tmpfs', '/a'])
  expect(words.join(' ')).toMatch(/--remount-ro \/dev --remount-ro \/a/)
  expect(words).toEqual(expect.arrayContaining(['--unshare-user', '--unshare-pid', '--unshare-net', '--cap-drop']))
  expect(enclosingWords({ ...where, isRoot: true })).toContain('--unshare-user-try')
  expect(enclosingWords({ ...where, isRoot: true, hasNetwork: true })).not.toContain('--unshare-net')
})

test('sockets that listen or take messages are found by their paths', () => {
  const table = `Num       RefCount Protocol Flags    Type St Inode Path
ffff0: 00000002 00000000 00010000 0001 01 100 /home/dev/agent.sock
ffff1: 00000003 00000000 00000000 0001 03 101 /home/dev/connected.sock
ffff2: 00000002 00000000 00000000 0002 01 102 /srv/log socket
ffff3: 00000002 00000000 00010000 0001 01 103 @abstract
ffff4: 00000003 00000000 00000000 0001 03 104
`
  expect(socketsIn(table)).toEqual(['/home/dev/agent.sock', '/srv/log socket'])
})

test('the environment leads nowhere outside, and to the proxy where there is one', () => {
  const outside = {
    HOME: '/h',
    SSH_AUTH_SOCK: '/s',
    AGENTPTY_HOME: '/a',
    AGENTPTY_TERMINAL: 't',
    ANTHROPIC_API_KEY: 'k',
    DISPLAY: ':0',
  }
  const inside = environmentInside(outside, { hasProxy: false })
  expect(inside).toMatchObject({ HOME: '/h', AGENTPTY_TERMINAL: 't', ANTHROPIC_API_KEY: 'k' })
  expect(Object.keys(inside)).not.toEqual(expect.arrayContaining(['SSH_AUTH_SOCK']))
  for (const name of ['SSH_AUTH_SOCK', 'AGENTPTY_HOME', 'DISPLAY', 'HTTP_PROXY'])
    expect(inside).not.toHaveProperty(name)
  expect(environmentInside(outside, { hasProxy: true })).toMatchObject({ https_proxy: 'http://127.0.0.1:3128' })
})
