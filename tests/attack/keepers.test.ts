/** A stopped or killed keeper delays no other session, and its processes are ended with its session: all of them, and no others. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { descendantsOf, open, openHost, Recorder, type TestHost, type TestSession } from '../harness/host-fixture.ts'
import { isAlive, processesWith, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { Cgroup, canFreeze } from './cgroup.ts'

let host: TestHost
beforeEach(async () => {
  host = await openHost()
})
afterEach(() => host.stop())

/** Generous: a keeper has four seconds for the worst tree, and ptyhost two more; a busy machine needs as long again to start that tree. */
const boundMs = 30_000

async function started(
  script: string,
): Promise<TestSession & { readonly recorder: Recorder; readonly keeper: number }> {
  const session = await open(host.link, ['bash', '-c', `${script}\necho up; wait; cat`])
  const recorder = new Recorder(session.pty)
  await recorder.until(({ text }) => text.includes('up'))
  return { ...session, recorder, keeper: keeperOf(session) }
}

/** The keeper is listed before its processes. A wrong number here would end the test itself. */
function keeperOf({ pid }: TestSession): number {
  const keeper = descendantsOf(host.link.pid).find((one) => descendantsOf(one).includes(pid))
  if (keeper === undefined) throw new Error(`no keeper above ${pid}: ${descendantsOf(host.link.pid)}`)
  return keeper
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch {
    // It has ended, which the test waits for.
  }
}

const close = ({ pty }: TestSession, leaveDaemons = false) => pty.close({ graceMs: 100, leaveDaemons })

test('a stopped keeper is continued: its program ends, is reported, and is closed', { timeout: boundMs }, async () => {
  const session = await open(host.link, ['sh', '-c', 'echo up; read x; exit 3'])
  const recorder = new Recorder(session.pty)
  await recorder.until(({ text }) => text.includes('up'))
  const keeper = keeperOf(session)
  process.kill(keeper, 'SIGSTOP')
  await session.pty.write(Buffer.from('\n'))
  expect(await recorder.exit).toMatchObject({ code: 3 })
  expect(await close(session)).toEqual({ survivors: 0 })
  expect(descendantsOf(host.link.pid)).toEqual([])
})

test('a keeper that is stopped repeatedly is given up, and its tree ended', { timeout: boundMs }, async () => {
  const session = await started("trap '' HUP TERM; for i in {1..20}; do sleep 1000 & done")
  let isStopping = true
  const stopping = (async () => {
    while (isStopping) {
      stop(session.keeper)
      await new Promise(setImmediate)
    }
  })()
  expect(await close(session)).toEqual({ survivors: 0 })
  isStopping = false
  await stopping
  expect(processesWith(session.marker)).toEqual([])
  expect(descendantsOf(host.link.pid)).toEqual([])
})

test.each<[string, string]>([
  ['300 children', "trap '' HUP TERM; for i in {1..300}; do sleep 1000 & done"],
  ['300 children in separate sessions', 'for i in {1..300}; do setsid sleep 1000 & done'],
  [
    'a line of 60 generations',
    'f() { if [ $1 -gt 0 ]; then (f $(($1 - 1)); :) & fi; sleep 1000; }; (f 60; :) & sleep 0.5',
  ],
  [
    'families whose heads end first',
    'for i in {1..30}; do (for j in {1..5}; do sleep 1000 & done; sleep 1000; :) & done',
  ],
  ['stopped processes', 'set -m; for i in {1..20}; do sleep 1000 & kill -STOP $!; done'],
  ['processes that keep forking', 'f() { while :; do sleep 0.01; done; }; f & f & f & f &'],
])('%s of a killed keeper are all ended', { timeout: boundMs }, async (_what, script) => {
  const session = await started(script)
  process.kill(session.keeper, 'SIGKILL')
  expect(await close(session)).toEqual({ survivors: 0 })
  expect(processesWith(session.marker)).toEqual([])
  expect(descendantsOf(host.link.pid)).toEqual([])
})

test('a keeper killed during the close leaves no process either', { timeout: boundMs }, async () => {
  const session = await started("trap '' HUP TERM; for i in {1..300}; do (trap '' HUP TERM; sleep 1000) & done")
  const closing = close(session)
  process.kill(session.keeper, 'SIGKILL')
  expect(await closing).toEqual({ survivors: 0 })
  expect(processesWith(session.marker)).toEqual([])
})

test('of two sessions without keepers only the processes of the closed one are ended', {
  timeout: boundMs,
}, async () => {
  const script = 'for i in {1..10}; do sleep 1000 & setsid sleep 1000 & done'
  const one = await started(script)
  const other = await started(script)
  process.kill(one.keeper, 'SIGKILL')
  await until(() => !isAlive(one.keeper))
  process.kill(other.keeper, 'SIGKILL')
  await until(() => !isAlive(other.keeper))
  const before = processesWith(other.marker)
  expect(await close(one)).toEqual({ survivors: 0 })
  expect(processesWith(one.marker)).toEqual([])
  expect(processesWith(other.marker)).toEqual(before)
  await other.pty.write(Buffer.from('still here\n'))
  expect(await close(other)).toEqual({ survivors: 0 })
  expect(processesWith(other.marker)).toEqual([])
})

test('processes left alone on request are not ended with another session', { timeout: boundMs }, async () => {
  const spared = await started('setsid sleep 1000 & sleep 0.2')
  const other = await started('sleep 1000 &')
  await close(spared, true)
  const daemons = processesWith(spared.marker)
  expect(daemons).toHaveLength(1)
  process.kill(other.keeper, 'SIGKILL')
  expect(await close(other)).toEqual({ survivors: 0 })
  expect(processesWith(spared.marker)).toEqual(daemons)
  for (const pid of daemons) process.kill(pid, 'SIGKILL')
})

test('the exit status of a program is known though its keeper was killed before', { timeout: boundMs }, async () => {
  const session = await started('sleep 0')
  process.kill(session.keeper, 'SIGKILL')
  await until(() => !isAlive(session.keeper))
  process.kill(session.pid, 'SIGTERM')
  expect(await session.recorder.exit).toEqual({ code: null, signal: 'SIGTERM' })
  expect(await close(session)).toEqual({ survivors: 0 })
})

// A frozen process of version 1 takes no signal at all, like one that hangs on a disk.
const withFreezer = test.runIf(canFreeze)
withFreezer(
  'unkillable processes are reported, delay the close no longer than the worst tree, and end once possible',
  {
    timeout: 2 * boundMs,
  },
  async () => {
    const freezer = new Cgroup('freezer')
    const session = await started('sleep 1000 & sleep 1000 &')
    const other = await started('sleep 1000 &')
    const [frozen] = descendantsOf(session.pid)
    freezer.take(frozen ?? 0)
    freezer.write('freezer.state', 'FROZEN')
    await until(() => freezer.read('freezer.state') === 'FROZEN')
    const startedAt = performance.now()
    try {
      expect(await close(session)).toEqual({ survivors: 1 })
      expect(performance.now() - startedAt).toBeLessThan(boundMs)
      expect(processesWith(session.marker)).toEqual([frozen])
      await other.pty.write(Buffer.from('still here\n'))
      await other.recorder.until(({ text }) => text.includes('still here'))
      expect(await close(other)).toEqual({ survivors: 0 })
    } finally {
      freezer.write('freezer.state', 'THAWED')
    }
    await until(() => processesWith(session.marker).length === 0)
    expect(processesWith(session.marker)).toEqual([])
    await freezer.remove()
  },
)

test('stopped keepers do not prevent an instance from stopping, nor the next from starting', async () => {
  const instance = scratchInstance()
  const rpc = await instance.rpc()
  const made = await Promise.all(
    [1, 2, 3].map(() => rpc.call('create', { command: ['sleep', '1000'], waitFor: 'none' })),
  )
  const { host: ptyhost } = await instance.status()
  const programs = made.map(({ pid }) => pid)
  const keepers = descendantsOf(ptyhost.pid).filter((pid) => !programs.includes(pid))
  expect(keepers).toHaveLength(3)
  for (const keeper of keepers) stop(keeper)
  const stopping = instance.cli('stop', '--all')
  for (const keeper of keepers) stop(keeper)
  expect((await stopping).code).toBe(0)
  expect(programs.filter(isAlive)).toEqual([])
  expect(await (await instance.rpc()).call('run', { command: 'echo again' })).toMatchObject({ output: 'again' })
})

withFreezer('a keeper that cannot be ended is reported as well', { timeout: 2 * boundMs }, async () => {
  const freezer = new Cgroup('freezer')
  const session = await started('sleep 1000 &')
  freezer.take(session.keeper)
  freezer.write('freezer.state', 'FROZEN')
  await until(() => freezer.read('freezer.state') === 'FROZEN')
  try {
    expect(await close(session)).toEqual({ survivors: 1 })
    expect(processesWith(session.marker).filter((pid) => isAlive(pid) && pid !== session.keeper)).toEqual([])
  } finally {
    freezer.write('freezer.state', 'THAWED')
    await until(() => !isAlive(session.keeper))
    await freezer.remove()
  }
})
