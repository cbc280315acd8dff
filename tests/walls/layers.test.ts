/**
 * The layers individually, at a ptyhost: each holds when another one does not. Bubblewrap is configured here to hide and forbid nothing, and
 * only the wall's own layers remain.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { enclosingWords, planMounts } from '@agentpty/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostProgram, open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'

const version = Number(execFileSync(hostProgram, ['--landlock'], { encoding: 'utf8' }))
const isRoot = process.getuid?.() === 0

/** Everything outside is writable, with a process namespace, which the wall needs. */
const openWall = [
  '--bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  ...(isRoot ? [] : ['--unshare-user']),
  '--unshare-pid',
]

describe('behind a wall without bubblewrap’s protection', () => {
  const folder = scratchFolder()
  let host: TestHost
  beforeAll(async () => {
    host = await openHost()
  })
  afterAll(async () => {
    await host.stop()
  })

  const attack = (words: readonly string[], attempt: readonly (string | number)[]) =>
    attackBehind(['agentpty-wall', ...words, '--', '/usr/bin/bwrap', ...openWall, '--'], attempt)

  async function attackBehind(begin: readonly string[], attempt: readonly (string | number)[]): Promise<string> {
    const argv = [...begin, 'python3', resolve('tests/walls/attack.py')]
    const { pty } = await open(host.link, argv, { env: { ATTACK: JSON.stringify(attempt) } })
    const recorder = new Recorder(pty)
    await recorder.exit
    return recorder.text
  }

  test.runIf(version >= 1)('Landlock allows writing only to named paths', async () => {
    const inside = mkdtempSync(join(folder, 'in-'))
    const outside = mkdtempSync(join(folder, 'out-'))
    const words = ['--write', '/dev', '--write', '/proc', '--write', inside]
    expect(await attack(words, ['write', join(inside, 'a')])).toMatch(/^out: /)
    expect(await attack(words, ['write', join(outside, 'a')])).toMatch(/^held: .*Permission denied/)
    expect(await attack(words, ['make', join(outside, 'b')])).toMatch(/^held: .*Permission denied/)
    expect(await attack(words, ['remove', join(inside, 'a')])).toMatch(/^out: /)
    expect(existsSync(join(outside, 'a'))).toBe(false)
    // Without the wall's rule, nothing else would have protected it.
    expect(
      await attack(['--write', '/dev', '--write', '/proc', '--write', folder], ['write', join(outside, 'a')]),
    ).toMatch(/^out: /)
  })

  test.runIf(version >= 6)('Landlock blocks abstract sockets of the outside', async () => {
    const name = `agentpty-layers-${process.pid}`
    const server = createServer((socket) => void socket.on('error', () => undefined).end())
    await new Promise<void>((ready) => void server.listen(`\0${name}`, () => ready()))
    expect(await attack(['--write', '/'], ['abstract', name])).toMatch(/^held: .*not permitted/)
    server.close()
  })

  test('the filter of system calls holds alone, whatever rights remain', async () => {
    expect(await attack(['--write', '/'], ['type_into_terminal', 0x5412])).toMatch(/^held: \[Errno 1\]/)
    expect(await attack(['--write', '/'], ['unshare'])).toMatch(/^held: \[Errno 1\]/)
    expect(await attack(['--write', '/'], ['mount', folder])).toMatch(/^held: \[Errno 1\]/)
  })

  test.runIf(isRoot)(
    'root without a user namespace, as in a container that forbids them, is restricted all the same',
    async () => {
      const limits = { memoryBytes: null, processes: 500, cpuSeconds: null, fileBytes: 1 << 30 }
      const sandbox = {
        network: 'off',
        writable: [],
        readOnly: [],
        hidden: [],
        limits,
        proxyFolder: null,
        taskFolder: null,
      } as const
      const places = {
        home: '/root',
        isRoot,
        own: [],
        needed: [resolve('tests/walls')],
        sockets: [],
        empty: '/dev/null',
      }
      const mounts = planMounts({ ...sandbox, writable: [], readOnly: [], hidden: [] }, places)
      const where = { isRoot, cwd: '/', hasNetwork: false, mounts, proxyFolder: null, taskFolder: null, limits }
      const words = enclosingWords({ bubblewrap: '/usr/bin/bwrap', ...where }).filter(
        (word) => word !== '--unshare-user-try',
      )
      expect(await attackBehind(words, ['user_namespace_is', readlinkSync('/proc/self/ns/user')])).toMatch(/^out: /)
      for (const attempt of [
        ['write', join(folder, 'x')],
        ['read', '/proc/kcore'],
        ['sysctl', '/proc/sys/kernel/core_pattern'],
        ['mount', '/tmp'],
        ['unshare'],
        ['proc', 1, 'root'],
        ['ptrace', 1],
        ['processes_of_others'],
        ['connect', '127.0.0.1', 22],
        ['make_device', join('/dev/shm', 'disk')],
      ])
        expect(await attackBehind(words, attempt)).toMatch(/^held: /)
    },
  )

  test('a program that cannot be started is reported as without a sandbox, and so is one that bubblewrap does not start', async () => {
    const begin = ['agentpty-wall', '--', '/usr/bin/bwrap', ...openWall]
    await expect(open(host.link, [...begin, '--', 'no-such-program'])).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('no-such-program'),
    })
    await expect(open(host.link, [...begin, '--no-such-option', '--', 'true'])).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    })
    await expect(open(host.link, ['agentpty-wall', '--memory', 'much', '--', 'x', '--', 'y'])).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    })
  })

  test('a program ends inside as it ends outside', async () => {
    const begin = ['agentpty-wall', '--', '/usr/bin/bwrap', ...openWall, '--']
    for (const [line, exit] of [
      ['exit 3', { code: 3, signal: null }],
      ['kill -TERM $$', { code: null, signal: 'SIGTERM' }],
      ['kill -KILL $$', { code: null, signal: 'SIGKILL' }],
    ] as const) {
      const { pty } = await open(host.link, [...begin, 'bash', '-c', line])
      expect(await new Recorder(pty).exit).toEqual(exit)
    }
  })
})
