/**
 * Attacks of a program inside: each row of the table in docs/security.md, in real terminals of a real daemon. Attacks that the machine
 * allows without a sandbox are tried without one first, so that no row passes by accident.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attack, behindWalls, users } from '../harness/behind-walls.ts'
import { hostProgram } from '../harness/host-fixture.ts'
import { program } from '../harness/instance.ts'

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((socket) => void socket.on('error', () => undefined).end('hello from outside'))
    await new Promise<void>((ready) => void server.listen(0, '::', () => ready()))
    port = (server.address() as { port: number }).port
  })
  afterAll(async () => {
    server.close()
  })

  const home = (path: string) => join(walls.instance.user, path)
  const own = (path: string) => join(walls.workspace, path)
  const host = () => walls.instance.status().then(({ host }) => host.pid)

  /** Succeeds without a sandbox, and not inside one. */
  async function expectHeld(attack: Attack, again: Attack = attack): Promise<string> {
    expect(await walls.attack(again, false)).toMatch(/^out: /)
    const inside = await walls.attack(attack, true)
    expect(inside).toMatch(/^held: /)
    return inside
  }

  describe('secrets', () => {
    test.each([
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.gnupg/private-keys-v1.d/a.key',
      '.config/gh/hosts.yml',
      '.netrc',
      '.git-credentials',
      '.mozilla/firefox/x.default/logins.json',
      '.config/chromium/Default/Cookies',
      '.docker/config.json',
    ])('~/%s cannot be read', async (path) => {
      walls.write(home(path), 'a secret')
      await expectHeld(['read', home(path)])
    })

    test('a secret behind a link of the user, or of the workspace, cannot be read', async () => {
      walls.write(home('.ssh/id_rsa'), 'a secret')
      await expectHeld(
        ['read_by_symlink', home('.ssh/id_rsa'), own('link-inside')],
        ['read_by_symlink', home('.ssh/id_rsa'), own('link-outside')],
      )
    })

    test('files named by the caller are hidden, too', async () => {
      walls.write(home('notes/plan'), 'a secret')
      expect(await walls.attack(['read', home('notes/plan')], true)).toMatch(/^out: /)
      expect(await walls.attack(['read', home('notes/plan')], { hidden: ['~/notes'] })).toMatch(/^held: /)
    })

    test('the environment names no agent, bus, display or home of agentpty', async () => {
      const leading = {
        SSH_AUTH_SOCK: '/x',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
        DISPLAY: ':0',
        WAYLAND_DISPLAY: 'w',
      }
      const names = [...Object.keys(leading), 'AGENTPTY_HOME']
      const env = { ...leading, ATTACK: JSON.stringify(['environment', ...names]) }
      const { output } = await walls.run({ command: ['python3', 'attack.py'], env, sandbox: true })
      expect(output).toBe('held: [Errno 0] none of them')
    })
  })

  describe('files', () => {
    test('the workspace is writable, and everything outside is read-only', async () => {
      expect(await walls.attack(['write', own('made-inside')], true)).toMatch(/^out: /)
      expect(readFileSync(own('made-inside'), 'utf8')).toContain('from inside')
      await expectHeld(['write', home('.bashrc')])
      await expectHeld(['chmod', home('.zshrc')])
      await expectHeld(['make', home('inside/made')], ['make', home('outside/made')])
      expect(existsSync(home('inside'))).toBe(false)
    })

    test('a file outside cannot be written by .., by a symbolic link, or by a hard link', async () => {
      walls.write(home('notes/a'), 'ours')
      await expectHeld(['write', `${walls.workspace}/../../..${home('notes/a')}`])
      await expectHeld(['symlink', home('notes/a'), own('s1')], ['symlink', home('notes/a'), own('s2')])
      await expectHeld(['link', home('notes/a'), own('h1')], ['link', home('notes/a'), own('h2')])
      expect(readFileSync(home('notes/a'), 'utf8').match(/from inside/g)).toHaveLength(3)
    })

    test.each([
      ['open', 0o4755],
      ['mknod', 0o4755],
      ['chmod', 0o4755],
      ['chmod', 0o2755],
      ['chmod', 0o6711],
      ['fchmod', 0o4711],
      ['fchmodat2', 0o4755],
      ['openat2', 0o4755],
    ])('no program that runs as its owner is left in the workspace: %s with mode %o', async (way, mode) => {
      if (way !== 'fchmodat2')
        await expectHeld(['set_id', way, own('set-id'), mode], ['set_id', way, own('free'), mode])
      else expect(await walls.attack(['set_id', way, own('set-id'), mode], true)).toMatch(/^held: /)
      expect(existsSync(own('set-id')) ? statSync(own('set-id')).mode & 0o6000 : 0).toBe(0)
    })

    test.each([0o755, 0o1777, 0o600])('every other mode can be set: %o', async (mode) => {
      for (const way of ['open', 'chmod', 'fchmod'])
        expect(await walls.attack(['set_id', way, own('plain'), mode], true)).toMatch(/^out: /)
    })

    test('/tmp is its own', async () => {
      const left = walls.write(walls.outside('left-in-tmp'), 'a secret')
      await expectHeld(['read', left])
      expect(await walls.attack(['write', '/tmp/from-inside'], true)).toMatch(/^out: /)
      expect(existsSync('/tmp/from-inside')).toBe(false)
    })

    test('files that start programs later, or that control agents, are read-only in the workspace, too', async () => {
      for (const path of ['.git/hooks/post-commit', '.git/config', '.agentpty/policy.yaml'])
        await expectHeld(['write', own(path)])
      await expectHeld(['make', own('.git/hooks/more')])
    })

    test('nor can they be moved away and created again', async () => {
      for (const [folder, file] of [
        ['.git', 'config'],
        ['.agentpty', 'policy.yaml'],
        ['.git/hooks', 'post-commit'],
      ] as const)
        expect(await walls.attack(['move_away', own(folder), file], true)).toMatch(/^held: .*(busy|Read-only)/i)
    })

    test('a repository without hooks gets an empty, read-only folder for them', async () => {
      const bare = walls.write(walls.outside('other/.git/HEAD'), 'ref: refs/heads/main\n')
      const { output } = await walls.run({
        command: ['python3', own('attack.py')],
        cwd: join(bare, '../..'),
        env: { ATTACK: JSON.stringify(['write', join(bare, '../hooks/post-commit')]) },
        sandbox: { writable: [walls.workspace] },
      })
      expect(output).toMatch(/^held: .*Read-only/)
    })

    test('paths named by the caller are writable, or read-only', async () => {
      const cache = walls.write(home('.npm/x'), 'ours')
      expect(await walls.attack(['write', cache], true)).toMatch(/^held: /)
      expect(await walls.attack(['write', cache], { writable: ['~/.npm'] })).toMatch(/^out: /)
      expect(await walls.attack(['write', own('.git/HEAD')], { readOnly: ['.git'] })).toMatch(/^held: /)
    })
  })

  describe('agentpty itself', () => {
    test('its home, its token and its sockets do not exist inside', async () => {
      const { home: folder, paths } = walls.instance
      await walls.instance.token()
      await expectHeld(['entries', folder])
      await expectHeld(['read', paths.token])
      await expectHeld(['unix', paths.daemonSocket])
      await expectHeld(['unix', paths.hostSocket])
    })

    test('not even if they are in a writable folder', async () => {
      const { token } = walls.instance.paths
      await walls.instance.token()
      expect(await walls.attack(['read', token], { writable: [walls.instance.home] })).toMatch(/^held: /)
    })

    test('its command finds no daemon and opens no terminal', async () => {
      const command = [process.execPath, program, 'ls']
      const { exitCode } = await walls.run({ command, sandbox: { writable: [join(program, '../..')] } })
      expect(exitCode).not.toBe(0)
      expect(walls.instance.processes().length).toBeGreaterThan(0)
    })

    test('its processes cannot be signalled, traced, or read', async () => {
      const pid = await host()
      await expectHeld(['kill', pid])
      for (const name of ['root', 'mem', 'environ', 'fd']) await expectHeld(['proc', pid, name])
      if (canTrace(userId)) await expectHeld(['ptrace', pid])
      else expect(await walls.attack(['ptrace', pid], true)).toMatch(/^held: /)
      expect(walls.instance.processes()).toContain(pid)
    })

    test('the processes between it and the program give nothing away either', async () => {
      for (const name of ['root', 'cwd', 'fd', 'mem', 'environ'])
        expect(await walls.attack(['proc', 1, name], true)).toMatch(/^held: .*(denied|permitted)/i)
      expect(await walls.attack(['overwrite_program', 1], true)).toMatch(/^held: .*denied/)
      expect(await walls.attack(['ptrace', 1], true)).toMatch(/^held: .*permitted/)
      expect(await walls.attack(['processes_of_others'], true)).toBe('held: [Errno 0] none')
    })
  })

  describe('sockets of other programs', () => {
    test('a socket in a readable folder is covered', async () => {
      const socket = home('agent.sock')
      await withServer({ path: socket }, () => expectHeld(['unix', socket]))
    })

    test('an abstract one is unreachable, even with a network on kernels with Landlock 6', async () => {
      const name = `agentpty-test-${process.pid}-${userId}`
      await withServer({ path: `\0${name}` }, async () => {
        await expectHeld(['abstract', name])
        if (landlockVersion() >= 6)
          expect(await walls.attack(['abstract', name], { network: 'on' })).toMatch(/^held: .*permitted/)
      })
    })
  })

  describe('the network', () => {
    test('no network exists: neither this machine nor another', async () => {
      await expectHeld(['connect', '127.0.0.1', port])
      await expectHeld(['connect', '::1', port])
      for (const address of addresses()) await expectHeld(['connect', address, port])
    })

    test('with the network on it is there', async () => {
      expect(await walls.attack(['connect', '127.0.0.1', port], { network: 'on' })).toContain('hello from outside')
    })
  })

  describe('the terminal', () => {
    const typing = 0x5412
    const selecting = 0x541c

    test.each([typing, selecting, 0x1_0000_0000 + typing])(
      'nothing is typed into it by request %i',
      async (request) => {
        expect(await walls.attack(['type_into_terminal', request], true)).toBe(
          'held: [Errno 1] Operation not permitted',
        )
      },
    )

    test('nor by the calls of an older processor', async () => {
      expect(await walls.attack(['type_by_old_calls'], true)).toMatch(/^held: /)
    })
  })

  describe('the kernel', () => {
    test.each<[string, Attack, number]>([
      ['a user namespace of its own', ['unshare'], 1],
      ['one by clone', ['clone'], 1],
      ['one by clone3', ['clone3'], 38],
      ['a mount', ['mount', '/tmp'], 1],
      ['a mount by the newer calls', ['new_mount_calls'], 1],
      ['the keys that the kernel keeps', ['keys'], 1],
    ])('%s is refused', async (_what, attack, errno) => {
      expect(await walls.attack(attack, true)).toMatch(new RegExp(`^held: \\[Errno ${errno}\\]`))
    })

    test.each(['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper'])(
      'its setting %s cannot be written',
      async (path) => {
        expect(await walls.attack(['sysctl', path], true)).toMatch(/^held: /)
      },
    )
  })
})

/** If the machine lets no process trace another, a sandbox proves nothing. */
function canTrace(userId: number): boolean {
  try {
    return userId === 0 || readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0'
  } catch {
    return true // a kernel without that setting lets users trace their own processes
  }
}

/** The addresses of this machine, besides the loopback ones. */
function addresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== 'IPv4' ? [] : [one.address]))
}

async function withServer(at: { readonly path: string }, use: () => Promise<unknown>): Promise<void> {
  const server = createServer((socket) => void socket.on('error', () => undefined).end())
  const isAbstract = at.path.startsWith('\0')
  const forAll = { readableAll: true, writableAll: true }
  await new Promise<void>((ready) => void server.listen({ ...at, ...(isAbstract ? {} : forAll) }, () => ready()))
  try {
    await use()
  } finally {
    server.close()
  }
}

/** Uses the kernel's own report: a test of a missing feature proves nothing. */
function landlockVersion(): number {
  return Number(execFileSync(hostProgram, ['--landlock'], { encoding: 'utf8' }))
}
