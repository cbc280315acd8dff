/** A machine with few resources refuses new terminals with clear errors; open ones continue, and all can be closed. */

import { execFileSync } from 'node:child_process'
import { chownSync, readFileSync } from 'node:fs'
import { isTermError } from '@agentpty/protocol'
import type { DaemonStatus, WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, program, run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { Cgroup, canLimitProcesses } from './cgroup.ts'

let instance: Instance
let rpc: WireClient
let before: DaemonStatus
let firstId: string
beforeEach(async () => {
  instance = scratchInstance()
  rpc = await instance.rpc()
  before = await instance.status()
  firstId = (await rpc.call('create', { command: ['cat'] })).terminalId
})

/** The same processes exist, and the terminal opened before the test answers. */
async function expectUnharmed(): Promise<void> {
  expect((await rpc.call('send', { terminalId: firstId, text: 'still here' })).output).toContain('still here')
  const { daemon, host } = await instance.status()
  expect([daemon.pid, host.pid]).toEqual([before.daemon.pid, before.host.pid])
  expect(readFileSync(instance.paths.log, 'utf8')).toBe('')
}

/** The number of opened terminals, and the error codes of the others. */
async function openMany(count: number): Promise<{ readonly opened: number; readonly codes: readonly string[] }> {
  const codes = new Set<string>()
  let opened = 0
  const open = async () => {
    try {
      await rpc.call('create', { command: ['sleep', '1000'], waitFor: 'none' })
      opened++
    } catch (error) {
      codes.add(isTermError(error) ? error.code : String(error))
    }
  }
  await Promise.all(Array.from({ length: count }, open))
  return { opened, codes: [...codes] }
}

const limit = (pid: number, what: string) => execFileSync('prlimit', ['--pid', String(pid), what])

test('without descriptors more terminals are refused, and accepted again after some are closed', async () => {
  limit(before.host.pid, '--nofile=40:40')
  const { opened, codes } = await openMany(60)
  expect(opened).toBeGreaterThan(2)
  expect(codes).toEqual(['spawn_failed'])
  await expectUnharmed()
  const { terminals } = await rpc.call('list', {})
  await rpc.call('close', { terminalIds: terminals.map(({ terminalId }) => terminalId).filter((id) => id !== firstId) })
  expect(await rpc.call('run', { command: 'echo again' })).toMatchObject({ output: 'again' })
})

test('a daemon with few descriptors serves connected clients', async () => {
  limit(before.daemon.pid, '--nofile=30:30')
  expect(await openMany(60)).toEqual({ opened: 60, codes: [] })
  await expectUnharmed()
})

test.each([0, 300_000, 20_000_000])(
  'ptyhost with %i bytes of memory left loses neither its owner nor its terminals',
  async (left) => {
    const counting = { command: ['bash', '-c', 'read x; seq 1 20000; echo done; read y'], waitFor: 'none' as const }
    const floods = await Promise.all(Array.from({ length: 6 }, () => rpc.call('create', counting)))
    limit(before.host.pid, `--as=${memoryOf(before.host.pid) + left}`)
    const long = rpc.call('send', {
      terminalId: firstId,
      text: 'a line of text\n'.repeat(280_000),
      newline: false,
      waitFor: 'none',
    })
    expect(await long.catch((error: { code: string }) => error.code)).toSatisfy(isAnswer)
    const many = rpc.call('create', { command: Array(900).fill('x'.repeat(1_000)) })
    expect(await many.catch((error: { code: string }) => error.code)).toSatisfy(isAnswer)
    const ends = floods.map(({ terminalId }) => rpc.call('send', { terminalId, text: '', waitFor: { text: 'done' } }))
    for (const { outcome } of await Promise.all(ends)) expect(outcome).toBe('met')
    await rpc.call('sendKeys', { terminalId: firstId, keys: ['ctrl+c'] })
    const { daemon, host } = await instance.status()
    expect([daemon.pid, host.pid]).toEqual([before.daemon.pid, before.host.pid])
    expect((await rpc.call('close', { all: true })).closed).toHaveLength(7)
  },
)

/** Done, or refused for a known reason. */
const isAnswer = (answer: unknown) =>
  typeof answer === 'object' || ['limit_reached', 'spawn_failed', 'input_full'].includes(String(answer))

function memoryOf(pid: number): number {
  const [, kib] = /VmSize:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

test('of ten thousand simultaneous terminals a thousand are opened, the others refused, and all are closed', async () => {
  expect(await openMany(10_000)).toEqual({ opened: 999, codes: ['limit_reached'] })
  await expectUnharmed()
  const { closed, survivors } = await rpc.call('close', { all: true })
  expect([closed.length, survivors]).toEqual([1_000, undefined])
})

/** A user without other processes, so that the limit counts only those of this test. Root has no such limit. */
const stranger = 64_321

test('a full process table refuses terminals, and existing ones can still be closed', async () => {
  if (process.getuid?.() !== 0) return
  const own = scratchInstance()
  for (const folder of [own.home, own.user]) chownSync(folder, stranger, stranger)
  const cli = `"${process.execPath}" "${program}"`
  const script = `ulimit -u 40; for i in $(seq 15); do ${cli} new --name t$i cat 2>&1; done; ${cli} stop --all`
  const as = [`--reuid=${stranger}`, `--regid=${stranger}`, '--clear-groups', 'bash', '-c', script]
  const { code, stdout } = await run('setpriv', as, own.env, { cwd: '/' })
  expect(stdout).toMatch(/^term-1$/m)
  expect(stdout).toContain('no room for another terminal')
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, 'Everything is closed.'])
})

const withPids = test.runIf(canLimitProcesses)
withPids(
  'with a full process table terminals are refused clearly, existing ones continue, and all recovers',
  async () => {
    const pids = new Cgroup('pids')
    pids.take(before.host.pid)
    pids.write('pids.max', String(Number(pids.read('pids.current')) + 12))
    try {
      const { opened, codes } = await openMany(20)
      expect(opened).toBeGreaterThan(2)
      expect(codes).toEqual(['spawn_failed'])
      await expectUnharmed()
      // The last refused one may have freed a process when it ended.
      const roomFor12 = pids.read('pids.max')
      pids.write('pids.max', '1')
      const refused = rpc.call('run', { command: 'echo never' })
      await expect(refused).rejects.toThrow(/no room for another terminal/)
      pids.write('pids.max', roomFor12)
      const listed = await rpc.call('list', {})
      expect(listed.terminals.filter(({ isActive }) => isActive)).toHaveLength(opened + 1)
      const some = listed.terminals.map(({ terminalId }) => terminalId).filter((id) => id !== firstId)
      expect((await rpc.call('close', { terminalIds: some })).survivors).toBeUndefined()
      expect(await rpc.call('run', { command: 'echo again' })).toMatchObject({ output: 'again' })
    } finally {
      pids.write('pids.max', 'max')
    }
    expect(await openMany(20)).toEqual({ opened: 20, codes: [] })
    await expectUnharmed()
    await instance.stop()
    await pids.remove()
  },
)
