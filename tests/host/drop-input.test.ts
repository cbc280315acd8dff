/** Dropping unread input, and taking numbered input once, also from another owner. */

import { HostLink } from '@agentpty/engine/ptyhost'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, openHost, Recorder, type TestHost } from '../harness/host-fixture.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

const rawCat = ['sh', '-c', 'stty raw -echo; echo go; exec cat']
const closing = { graceMs: 100, leaveDaemons: false }

test('no input written before a drop reaches the program after it, in 2,000 races', async () => {
  const { pty } = await open(host.link, rawCat)
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('go'))
  for (let round = 0; round < 2_000; round++) {
    const written = [1, 2, 3].map((pieces) => pty.write(Buffer.alloc(pieces * ((round % 40) + 1), 'a')))
    const dropped = pty.dropInput()
    const mine = pty.write(Buffer.from(`<${round}>`))
    await Promise.all([...written, dropped, mine])
    await recorder.until(({ text }) => text.endsWith(`<${round}>`))
  }
  const after = recorder.text.slice(recorder.text.indexOf('go'))
  // Between two marks the program has read at most the beginning of the earlier input.
  expect(after.replaceAll(/\s/g, '')).toMatch(/^go(?:a*<\d+>)*$/)
  await pty.close(closing)
})

test('a drop reports the number of bytes, and so do the dropped writes', async () => {
  const { pty } = await open(host.link, ['sleep', '1000'])
  new Recorder(pty)
  const written = pty.write(Buffer.alloc(1_000_000, 'line of input\n'))
  const dropped = await pty.dropInput()
  expect(dropped).toBeGreaterThan(900_000)
  expect(await written).toMatchObject({ result: 'dropped' })
  await pty.close(closing)
})

test('a partial line that the terminal edits is dropped with its echo', async () => {
  const { pty } = await open(host.link, ['cat'])
  const recorder = new Recorder(pty)
  await pty.write(Buffer.from('rm -rf /tm'))
  await recorder.until(({ text }) => text.includes('rm -rf /tm'))
  await pty.dropInput()
  await pty.write(Buffer.from('ls\n'))
  await recorder.until(({ text }) => text.endsWith('ls\r\nls\r\n'))
  // Moves backwards over each character of it.
  expect(recorder.text).toContain('\b \b'.repeat('rm -rf /tm'.length))
  await pty.close(closing)
})

test('numbered input is written once, whoever repeats it, and later numbers are written', async () => {
  const { pty, id } = await open(host.link, rawCat)
  const recorder = new Recorder(pty)
  await recorder.until(({ text }) => text.includes('go'))
  const type = (text: string, number: number, writer = 4711) => pty.write(Buffer.from(text), { writer, number })
  expect(await Promise.all([type('a', 1), type('a', 1), type('b', 2), type('a', 1), type('x', 1, 4712)])).toHaveLength(
    5,
  )
  await recorder.until(({ text }) => text.endsWith('x'))
  host.link.disconnect()
  let again = await HostLink.connect(host.socket, () => undefined)
  // The host notices the loss of its owner a moment later.
  while (!again.hello.granted) again = await HostLink.connect(host.socket, () => undefined)
  host = { ...host, link: again.link, stop: async () => void (await again.link.shutdown()) }
  const next = again.link.find(id)
  const second = new Recorder(next)
  await next.write(Buffer.from('b'), { writer: 4711, number: 2 })
  await next.write(Buffer.from('c'), { writer: 4711, number: 3 })
  await second.until(({ text }) => text.endsWith('c'))
  expect(second.text.replaceAll(/\s|go/g, '')).toBe('abxc')
  await next.close(closing)
})
