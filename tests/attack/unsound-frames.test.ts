/** What makes no sense is answered, for that request alone: its sender stays the owner, and its sessions go on. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { frameBytesMax, notesBytesMax } from '../../packages/agentpty/src/contracts/limits.ts'
import {
  answer,
  type Frame,
  FrameReader,
  FrameSplitter,
  FrameWriter,
  protocolMagic,
  protocolVersion,
  request,
} from '../../packages/agentpty/src/engine/ptyhost/frames.ts'
import { openHost, type TestHost } from '../host/host-fixture.ts'

let host: TestHost
let owner: Socket
let answers: Frame[]
let woken: () => void

beforeEach(async () => {
  host = await openHost()
  host.link.disconnect()
  answers = []
  do {
    owner = connect(host.socket)
    const splitter = new FrameSplitter()
    owner.on('data', (bytes) => {
      for (const frame of splitter.push(bytes)) answers.push({ ...frame, payload: Buffer.from(frame.payload) })
      woken?.()
    })
    await once(owner, 'connect')
    owner.write(new FrameWriter(request.hello, 0).u32(protocolMagic).u16(protocolVersion).finish())
  } while ((await next(answer.hello)).payload.at(-1) !== 1)
})

afterEach(async () => {
  owner.write(new FrameWriter(request.shutdown, 0).u32(999).finish())
  await next(answer.done)
  owner.destroy()
})

/** The next answer of this kind; others before it are dropped. */
async function next(type: number): Promise<Frame> {
  for (;;) {
    const frame = answers.shift()
    if (frame?.type === type) return frame
    if (frame !== undefined) continue
    await Promise.race([
      new Promise<void>((wake) => {
        woken = wake
      }),
      once(owner, 'close').then(() => {
        throw new Error('the host has ended the connection')
      }),
    ])
  }
}

function start(
  id: number,
  number: number,
  argv: readonly (string | Buffer)[],
  more: { cwd?: string; meta?: string } = {},
) {
  const frame = new FrameWriter(request.spawn, id).u32(number).u16(80).u16(24).u32(65_536)
  frame
    .blob(more.meta ?? '{}')
    .blob(more.cwd ?? '/tmp')
    .u32(argv.length)
  for (const argument of argv) frame.blob(argument.toString())
  return frame.blobs(['PATH=/usr/bin:/bin'])
}

const cat = ['cat']

test.each<[string, (number: number) => FrameWriter | Buffer, RegExp]>([
  ['a NUL in an argument', (number) => start(2, number, ['echo', 'a\0b']), /NUL/],
  ['a NUL in the folder', (number) => start(2, number, cat, { cwd: '/\0' }), /NUL/],
  ['a folder that is too long', (number) => start(2, number, cat, { cwd: 'x'.repeat(5_000) }), /folder is too long/],
  ['notes that are too long', (number) => start(2, number, cat, { meta: 'x'.repeat(notesBytesMax + 1) }), /notes/],
  ['too many arguments', (number) => start(2, number, Array(4_097).fill('x')), /more than/],
  ['an argument that is too long', (number) => start(2, number, ['x'.repeat(131_072)]), /more than/],
  ['too much in all', (number) => start(2, number, Array(20).fill('x'.repeat(100_000))), /more than/],
  ['no program', (number) => start(2, number, []), /program/],
  ['no number of a session', (number) => start(0, number, cat), /number/],
  ['a start that is cut short', (number) => new FrameWriter(request.spawn, 2).u32(number).u16(80), /cut short/],
  [
    'more arguments than there are',
    (number) => new FrameWriter(request.spawn, 2).u32(number).u16(80).u16(24).u32(65_536).blob('').blob('/').u32(4_000),
    /cut short/,
  ],
  ['a size of nothing', (number) => new FrameWriter(request.resize, 1).u32(number).u16(0).u16(24), /at least one/],
  ['a size that is cut short', (number) => new FrameWriter(request.resize, 1).u32(number).u16(80), /cut short/],
  ['a signal that is cut short', (number) => new FrameWriter(request.signal, 1).u32(number), /cut short/],
  ['a close that is cut short', (number) => new FrameWriter(request.close, 1).u32(number).u16(1), /cut short/],
  ['a start longer than a frame', (number) => tooLong(request.spawn, 2, number), /longer than a frame/],
  ['a write longer than a frame', (number) => tooLong(request.write, 1, number), /longer than a frame/],
])('%s is an error of that request', async (_what, frame, message) => {
  owner.write(start(1, 1, cat).finish())
  await next(answer.spawned)
  const bytes = frame(7)
  owner.write(Buffer.isBuffer(bytes) ? bytes : bytes.finish())
  const reader = new FrameReader((await next(answer.error)).payload)
  expect(reader.u32()).toBe(7)
  expect(reader.i32()).toBeGreaterThan(0)
  expect(reader.blob()).toMatch(message)
  await expectRunning()
})

function tooLong(type: number, session: number, number: number): Buffer {
  const bytes = Buffer.alloc(12 + frameBytesMax + 1)
  bytes.writeUInt32LE(frameBytesMax + 1, 0)
  bytes.writeUInt32LE(session, 4)
  bytes.writeUInt8(type, 8)
  bytes.writeUInt32LE(number, 12)
  return bytes
}

test.each<[string, FrameWriter]>([
  ['notes that are too long', new FrameWriter(request.meta, 1).raw(Buffer.alloc(notesBytesMax + 1))],
  ['a watch that says nothing', new FrameWriter(request.watch, 1)],
  ['half an offset', new FrameWriter(request.attach, 1).u32(0)],
  ['half an acknowledgement', new FrameWriter(request.ack, 1).u32(0)],
  ['a write without a number', new FrameWriter(request.write, 1).u16(0)],
  ['a request that there is not', new FrameWriter(200, 1).u32(5)],
  ['a list without a number', new FrameWriter(request.list, 0)],
])('%s is an error of no request', async (_what, frame) => {
  owner.write(start(1, 1, cat).finish())
  await next(answer.spawned)
  owner.write(frame.finish())
  expect(new FrameReader((await next(answer.error)).payload).u32()).toBe(0)
  await expectRunning()
})

/** The session that was there answers, so the frame after the unsound one was understood. */
async function expectRunning(): Promise<void> {
  owner.write(new FrameWriter(request.attach, 1).u64(0).finish())
  owner.write(new FrameWriter(request.write, 1).u32(8).raw(Buffer.from('alive\n')).finish())
  const reader = new FrameReader((await next(answer.written)).payload)
  expect([reader.u32(), reader.u8()]).toEqual([8, 0])
}
