/** ptyhost loses no output: not at exit, not behind a slow reader, not without a connection. */

import { HostLink } from '@agentpty/engine/ptyhost'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, pool, Recorder, type TestHost } from '../harness/host-fixture.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

const linesOf = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\r\n`).join('')

const writers: readonly { readonly argv: readonly string[]; readonly bytes: number }[] = [
  { argv: ['seq', '1', '1000'], bytes: linesOf(1000).length },
  { argv: ['head', '-c', '5000', '/dev/zero'], bytes: 5_000 },
  { argv: ['head', '-c', '64000', '/dev/zero'], bytes: 64_000 },
  { argv: ['head', '-c', '200000', '/dev/zero'], bytes: 200_000 },
  // The last instruction before the end is the write itself.
  { argv: ['sh', '-c', 'exec printf %05000d 7'], bytes: 5_000 },
  { argv: ['sh', '-c', 'head -c 60000 /dev/zero; exec printf %04000d 7'], bytes: 64_000 },
]

// With sanitizers, a program costs the host six times as much time.
const programs = Number(process.env['AGENTPTY_PROGRAMS'] ?? 3_000)

test(
  `${programs} programs that write and end immediately, 50 at a time, half of them with a reader paused across the exit: all output is complete`,
  async () => {
    const jobs = Array.from({ length: programs }, (_, i) => i)
    const incomplete: string[] = []
    await pool(jobs, 50, async (i) => {
      const { argv, bytes } = writers[i % writers.length] ?? { argv: [], bytes: 0 }
      const { pty } = await open(host.link, argv)
      const recorder = new Recorder(pty)
      recorder.paused = i % 2 === 0
      await recorder.exit
      recorder.resume()
      if (recorder.end !== bytes) incomplete.push(`${argv.join(' ')}: ${recorder.end} of ${bytes}`)
      await pty.close({ graceMs: 100, leaveDaemons: false })
    })
    expect(incomplete).toEqual([])
  },
  Math.max(240_000, programs * 80),
)

test('children that keep writing after the program has ended are read until they are done', async () => {
  const { pty } = await open(host.link, [
    'sh',
    '-c',
    // The child writes once the program is gone. The program waits until the child runs: starting it may take longer than the quiet
    // time that ends a program on a busy machine.
    `trap "" HUP; folder=$(mktemp -d); mkfifo "$folder/runs"; perl -e '
      $| = 1; $program = getppid; open my $runs, ">", shift; close $runs;
      select undef, undef, undef, 0.001 while getppid == $program;
      for (1 .. 5) { select undef, undef, undef, 0.005; print "late $_\\n" }' "$folder/runs" &
      read -r _ < "$folder/runs"; rm -r "$folder"; echo first`,
  ])
  const recorder = new Recorder(pty)
  const exit = await recorder.exit
  expect(exit).toEqual({ code: 0, signal: null })
  expect(recorder.text).toBe(`first\r\n${[1, 2, 3, 4, 5].map((i) => `late ${i}\r\n`).join('')}`)
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('a program waits while its reader is behind, and no output is evicted unseen', async () => {
  const total = 30_000_000
  // A size that is not a multiple of a read.
  const logBytes = 100_001
  const { pty } = await open(host.link, ['head', '-c', String(total), '/dev/zero'], { logBytes })
  const recorder = new Recorder(pty)
  recorder.paused = true
  await recorder.until(({ end }) => end >= logBytes)
  const waitedAt = recorder.end
  expect(waitedAt).toBeLessThan(3 << 20)
  recorder.resume()
  await recorder.exit
  expect({ start: recorder.start, end: recorder.end, bytes: recorder.bytes.length }).toEqual({
    start: 0,
    end: total,
    bytes: total,
  })
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('output before the starter attaches is not lost', async () => {
  const total = 5_000_000
  const { id, pty } = await open(host.link, ['head', '-c', String(total), '/dev/zero'], { logBytes: 2 << 20 })
  for (;;) {
    const [listed] = (await host.link.list()).filter((session) => session.id === id)
    if ((listed?.end ?? 0) >= 1 << 20) break
  }
  const recorder = new Recorder(pty)
  await recorder.exit
  expect({ start: recorder.start, end: recorder.end }).toEqual({ start: 0, end: total })
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('without a connection the program continues, the newest bytes are retained, and a late reader learns the missed count', async () => {
  const { id } = await open(host.link, ['sh', '-c', 'seq 1 400000; sleep 60'], { logBytes: 256 << 10 })
  host.link.disconnect()
  const whole = linesOf(400_000)
  for (;;) {
    const { link, hello } = await HostLink.connect(host.socket, () => undefined)
    if (hello.granted) {
      host = { ...host, link, stop: host.stop }
      const listed = (await link.list()).find((session) => session.id === id)
      if (listed?.end === whole.length) break
    }
    link.disconnect()
  }
  const recorder = new Recorder(host.link.find(id), 10)
  await recorder.until(({ end }) => end === whole.length)
  expect(recorder.start).toBe(whole.length - (256 << 10))
  expect(recorder.text).toBe(whole.slice(-(256 << 10)))
  await host.link.find(id).close({ graceMs: 50, leaveDaemons: false })
  const stopped = host.link
  host = { ...host, stop: () => stopped.shutdown() }
})
