/** Input reaches the program completely and in order, and an interrupt gets through whatever precedes it. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

test('1 MB of pasted lines arrives byte for byte', async () => {
  const lines = Array.from(
    { length: 16_000 },
    (_, i) => `${String(i).padStart(7, '0')} ${'abcdefghij'.repeat(5)}öß€😀\n`,
  ).join('')
  const bytes = Buffer.from(lines)
  const { pty } = await open(host.link, ['sh', '-c', `stty -echo; echo go; head -c ${bytes.length} | sha256sum`])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('go'))
  expect(await pty.write(bytes)).toEqual({ result: 'written' })
  await recorder.exit
  expect(recorder.text).toContain(createHash('sha256').update(bytes).digest('hex'))
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('1 MB in raw mode, without a single newline, arrives byte for byte', async () => {
  const bytes = Buffer.alloc(1_000_000, 'x1y2')
  const { pty } = await open(host.link, ['sh', '-c', `stty raw -echo; echo go; head -c ${bytes.length} | sha256sum`])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('go'))
  await pty.write(bytes)
  await recorder.exit
  expect(recorder.text).toContain(createHash('sha256').update(bytes).digest('hex'))
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('a session with a full input queue does not delay another one', async () => {
  const deaf = await open(host.link, ['sleep', '1000'])
  new Recorder(deaf.pty)
  const stuck = deaf.pty.write(Buffer.alloc(2_000_000, 'line of input\n'))
  const other = await open(host.link, ['cat'])
  const recorder = new Recorder(other.pty)
  for (let i = 0; i < 50; i++) {
    await other.pty.write(Buffer.from(`ping ${i}\n`))
    await recorder.until(({ text }) => text.split(`ping ${i}\r\n`).length === 3)
  }
  await Promise.all([deaf, other].map(({ pty }) => pty.close({ graceMs: 100, leaveDaemons: false })))
  expect(await stuck).toMatchObject({ result: 'dropped' })
})

test.each([
  ['ctrl+c', '\x03', 'SIGINT'],
  ['ctrl+\\', '\x1c', 'SIGQUIT'],
])('%s ends a program that does not read, drops earlier input and reports it', async (_key, byte, signal) => {
  const { pty } = await open(host.link, ['sleep', '1000'])
  const recorder = new Recorder(pty)
  const stuck = pty.write(Buffer.alloc(1_000_000, 'line of input\n'))
  const answer = await pty.write(Buffer.from(byte))
  expect(answer).toMatchObject({ result: 'interrupted', signal })
  expect(answer).toHaveProperty('droppedBytes')
  expect(await recorder.exit).toEqual({ code: null, signal })
  expect(await stuck).toMatchObject({ result: 'dropped' })
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('an interrupt key takes its usual way if no input precedes it', async () => {
  const { pty } = await open(host.link, ['sh', '-c', 'echo go; exec sleep 1000'])
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('go'))
  expect(await pty.write(Buffer.from('\x03'))).toEqual({ result: 'written' })
  expect(await recorder.exit).toEqual({ code: null, signal: 'SIGINT' })
  expect(recorder.text).toContain('^C')
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('more input than the limit is refused and the session continues', async () => {
  const { pty } = await open(host.link, ['sleep', '1000'])
  new Recorder(pty)
  const first = pty.write(Buffer.alloc(15 << 20, 'x\n'))
  await expect(pty.write(Buffer.alloc(4 << 20, 'x\n'))).rejects.toMatchObject({ code: 'input_full' })
  await pty.close({ graceMs: 100, leaveDaemons: false })
  expect(await first).toMatchObject({ result: 'dropped' })
})
