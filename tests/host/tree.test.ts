/** Closing a session ends all its processes, however they hide, and leaves none behind. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  descendantsOf,
  open,
  openDescriptors,
  openHost,
  pool,
  Recorder,
  type TestHost,
} from '../harness/host-fixture.ts'
import { processesWith } from '../harness/instance.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

const daemonise = `
import os, sys, time, signal
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
for fd in (0, 1, 2): os.close(fd)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(1000)
`

test.each<[string, string]>([
  ['a job that ignores HUP and TERM', 'trap "" HUP TERM; sleep 1000 & sleep 1000 & wait'],
  ['a child in its own session', 'setsid sleep 1000 & sleep 1000'],
  [
    'a child with another environment and session',
    'env -i setsid sh -c "trap \\"\\" HUP TERM; sleep 1000" & sleep 1000',
  ],
  ['a real daemon: forked twice, without terminal', `python3 -c '${daemonise}'; sleep 1000`],
  ['a stopped job', 'set -m; sleep 1000 & kill -STOP $!; sleep 1000'],
  ['a family that keeps forking', 'trap "" HUP TERM; f() { while :; do sleep 0.01; done; }; f & f & f'],
])('no process is left of %s', async (_what, script) => {
  const { pty } = await open(host.link, ['bash', '-c', `echo up; ${script}`])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('up'))
  expect(await pty.close({ graceMs: 100, leaveDaemons: false })).toEqual({ survivors: 0 })
  expect(descendantsOf(host.link.pid)).toEqual([])
})

test('an interactive shell whose jobs ignore HUP and TERM leaves none of them', async () => {
  const { marker, pty } = await open(host.link, ['bash', '--norc', '-i'])
  const recorder = new Recorder(pty)
  await pty.write(Buffer.from("trap '' HUP TERM; (trap '' HUP TERM; sleep 1000) & sleep 1000 & disown -a; echo u''p\n"))
  await recorder.until(({ text }) => text.includes('up\r\n'))
  await pty.close({ graceMs: 100, leaveDaemons: false })
  expect(processesWith(marker)).toEqual([])
})

test('daemons are spared on request, and no other processes are', async () => {
  const {
    marker,
    pid: sessionPid,
    pty,
  } = await open(host.link, ['bash', '-c', 'setsid sleep 1000 & (trap "" HUP TERM; sleep 999) & echo up; wait'])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('up'))
  // Before setsid, its process is not a daemon yet.
  while (!processesWith(marker).some((pid) => pid !== sessionPid && leadsSession(pid))) await new Promise(setImmediate)
  await pty.close({ graceMs: 100, leaveDaemons: true })
  const left = processesWith(marker)
  expect(left).toHaveLength(1)
  for (const pid of left) process.kill(pid, 'SIGKILL')
})

test('a killed ptyhost ends its sessions: the keepers end their processes', async () => {
  const doomed = await openHost()
  const { marker, pty } = await open(doomed.link, ['bash', '-c', 'trap "" HUP TERM; sleep 1000 & echo up; wait'])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('up'))
  process.kill(doomed.link.pid, 'SIGKILL')
  const deadline = performance.now() + 20_000
  while (processesWith(marker).length > 0 && performance.now() < deadline) await new Promise(setImmediate)
  expect(processesWith(marker)).toEqual([])
})

test('a killed keeper does not close the terminal, and its tree is still ended', async () => {
  const { marker, pid, pty } = await open(host.link, ['bash', '-c', 'setsid sleep 1000 & sleep 1000 & echo up; cat'])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('up'))
  const keeper = descendantsOf(host.link.pid).find((one) => descendantsOf(one).includes(pid))
  process.kill(keeper ?? 0, 'SIGKILL')
  await pty.write(Buffer.from('still here\n'))
  await recorder.until(({ text }) => text.split('still here').length === 3)
  await pty.close({ graceMs: 100, leaveDaemons: false })
  // Without the keeper, no process waits for each of them: the kernel may still be ending the killed ones.
  const deadline = performance.now() + 20_000
  while (processesWith(marker).length > 0 && performance.now() < deadline) await new Promise(setImmediate)
  expect(processesWith(marker)).toEqual([])
})

function leadsSession(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === pid
}

const cycles = Number(process.env['AGENTPTY_CYCLES'] ?? 1_000)

test(
  `${cycles} sessions opened and closed leave no process, no zombie and no descriptor`,
  async () => {
    const before = openDescriptors(host.link.pid)
    await pool(
      Array.from({ length: cycles }, (_, i) => i),
      8,
      async () => {
        const { pty } = await open(host.link, ['sh', '-c', 'sleep 1000 & wait'])
        await pty.close({ graceMs: 100, leaveDaemons: false })
      },
    )
    expect(descendantsOf(host.link.pid)).toEqual([])
    expect(openDescriptors(host.link.pid)).toBe(before)
  },
  Math.max(300_000, cycles * 300),
)

test('open files of unwatched waiting programs are retained for some dozens of them', async () => {
  const sessions = await Promise.all(Array.from({ length: 80 }, () => open(host.link, ['cat'])))
  const recorders = sessions.map(({ pty }) => new Recorder(pty))
  const before = openDescriptors(host.link.pid)
  for (const { pty } of sessions) await pty.write(Buffer.from('x\n'))
  await Promise.all(recorders.map((recorder) => recorder.until(({ text }) => text.split('x\r\n').length === 3)))
  for (const { pty } of sessions) await pty.write(Buffer.from('y\n'))
  const retained = openDescriptors(host.link.pid) - before
  expect(retained).toBeGreaterThan(64)
  expect(retained).toBeLessThanOrEqual(64 * 5)
  await Promise.all(sessions.map(({ pty }) => pty.close({ graceMs: 100, leaveDaemons: false })))
})
