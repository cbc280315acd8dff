import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { PtyEvents } from '../ports.ts'
import { FakeClock, FakePty, FakePtyHost, type FakePtyHostOptions } from './index.ts'

const spawn = { id: 1, argv: ['sh'], env: {}, cwd: '/', logBytes: 100, meta: 'notes', cols: 80, rows: 24 }

interface Heard extends PtyEvents {
  readonly heard: string[]
}

function listener(): Heard {
  const heard: string[] = []
  return {
    heard,
    output: (offset, bytes) => heard.push(`${offset} ${Buffer.from(bytes)}`),
    exit: ({ code }) => heard.push(`exit ${code}`),
    facts: ({ offset }) => heard.push(`facts ${offset}`),
    resized: (offset, { cols }) => heard.push(`resized ${offset} ${cols}`),
    written: ({ inputWritten }) => heard.push(`written ${inputWritten}`),
  }
}

async function open(options: FakePtyHostOptions = {}) {
  const clock = new FakeClock()
  const host = new FakePtyHost(clock, options)
  const link = host.connect()
  const { pty } = await link.spawn(spawn)
  const terminal = host.find(1)
  assert.ok(terminal instanceof FakePty)
  return { clock, host, link, pty, terminal }
}

test('the next connection receives the kept bytes again, and the earlier one receives nothing', async () => {
  const { clock, host, pty, terminal } = await open()
  const before = listener()
  const after = listener()
  pty.attach(0, before)
  terminal.prints('one')
  await pty.resize({ cols: 100, rows: 30 })
  const next = host.connect()
  terminal.prints('two')
  const kept = await next.list()
  assert.deepEqual(kept, [
    {
      id: 1,
      pid: 5_000_001,
      start: 0,
      end: 6,
      exited: false,
      cols: 80,
      rows: 24,
      resizes: [{ offset: 3, cols: 100, rows: 30 }],
      meta: 'notes',
      exitedAt: null,
      moments: [
        { offset: 0, at: clock.wall() },
        { offset: 3, at: clock.wall() },
      ],
    },
  ])
  next.find(1).attach(2, after)
  assert.deepEqual(before.heard, ['0 one', 'resized 3 100'])
  assert.deepEqual(after.heard, ['2 e', '3 two'])
})

test('without an engine the newest output is kept, with one the program waits', async () => {
  const { host, pty, terminal } = await open()
  pty.attach(0, listener())
  terminal.prints('x'.repeat(150))
  assert.equal(terminal.end, 100)
  assert.equal(terminal.printedTo, 150)
  pty.ack(30)
  assert.equal(terminal.end, 130)
  host.cutOff()
  assert.deepEqual([terminal.start, terminal.end], [50, 150])
})

test('held delivery sends events first, then the given number of bytes, and the exit last', async () => {
  const { pty, terminal } = await open({ delivery: 'held' })
  const events = listener()
  pty.attach(0, events)
  terminal.prints('hello')
  const writing = pty.write(Buffer.from('in'))
  terminal.exits({ code: 3 })
  assert.deepEqual(events.heard, [])
  terminal.deliver(2)
  assert.deepEqual(await writing, { result: 'written' })
  assert.deepEqual(events.heard, ['written 2', '0 he'])
  terminal.deliver()
  assert.deepEqual(events.heard, ['written 2', '0 he', '2 llo', 'exit 3'])
  assert.equal(terminal.hasNews, false)
})

test('input waits for a program that does not read, and is dropped at its end', async () => {
  const { pty, terminal } = await open()
  pty.attach(0, listener())
  terminal.stopsReading()
  const first = pty.write(Buffer.from('a'))
  assert.equal(terminal.written, '')
  terminal.readsAgain()
  assert.deepEqual(await first, { result: 'written' })
  terminal.stopsReading()
  const second = pty.write(Buffer.from('bc'))
  terminal.exits()
  assert.deepEqual(await second, { result: 'dropped', droppedBytes: 2 })
  await expect(pty.write(Buffer.from('d'))).rejects.toMatchObject({ code: 'session_exited' })
  await expect(pty.resize({ cols: 10, rows: 10 })).rejects.toMatchObject({ code: 'session_exited' })
  assert.equal(terminal.written, 'a')
})
