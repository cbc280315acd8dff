/** Invalid requests are answered individually: their sender stays the owner, and its sessions continue. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  answers,
  decodePayload,
  encodeFrame,
  type Frame,
  type FrameRow,
  FrameSplitter,
  FrameWriter,
  protocolMagic,
  protocolVersion,
  requests,
  writeResults,
} from '@agentpty/engine/testing'
import { frameBytesMax, notesBytesMax } from '@agentpty/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHost, type TestHost } from '../harness/host-fixture.ts'

let host: TestHost
let owner: Socket
let found: Frame[]
let woken: () => void

beforeEach(async () => {
  host = await openHost()
  host.link.disconnect()
  found = []
  do {
    owner = connect(host.socket)
    const splitter = new FrameSplitter()
    owner.on('data', (bytes) => {
      for (const frame of splitter.push(bytes)) found.push({ ...frame, payload: Buffer.from(frame.payload) })
      woken?.()
    })
    await once(owner, 'connect')
    owner.write(encodeFrame(requests.hello, 0, { magic: protocolMagic, version: protocolVersion }))
  } while (!decodePayload(answers.hello, await next(answers.hello)).granted)
})

afterEach(async () => {
  owner.write(encodeFrame(requests.shutdown, 0, { request: 999 }))
  await next(answers.done)
  owner.destroy()
})

/** The payload of the next answer of this kind; earlier ones are dropped. */
async function next({ type }: FrameRow): Promise<Buffer> {
  for (;;) {
    const frame = found.shift()
    if (frame?.type === type) return frame.payload
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

interface Start {
  readonly cwd?: string
  readonly meta?: string
}

function start(
  id: number,
  request: number,
  argv: readonly string[],
  { cwd = '/tmp', meta = '{}' }: Start = {},
): Buffer {
  const given = { ringBytes: 65_536, meta, cwd, argv, env: ['PATH=/usr/bin:/bin'], ptmx: '', gate: '' }
  return encodeFrame(requests.spawn, id, { request, cols: 80, rows: 24, ...given })
}

/** A request whose payload ends early or is invalid: its fields are written one by one. */
const startFrame = (row: FrameRow, session: number) => new FrameWriter(row.type, session)

const cat = ['cat']

test.each<[string, (number: number) => Buffer, RegExp]>([
  ['a NUL in an argument', (number) => start(2, number, ['echo', 'a\0b']), /NUL/],
  ['a NUL in the folder', (number) => start(2, number, cat, { cwd: '/\0' }), /NUL/],
  ['a folder that is too long', (number) => start(2, number, cat, { cwd: 'x'.repeat(5_000) }), /folder is too long/],
  ['notes that are too long', (number) => start(2, number, cat, { meta: 'x'.repeat(notesBytesMax + 1) }), /notes/],
  ['too many arguments', (number) => start(2, number, Array(4_097).fill('x')), /more than/],
  ['an argument that is too long', (number) => start(2, number, ['x'.repeat(131_072)]), /more than/],
  ['too much in all', (number) => start(2, number, Array(20).fill('x'.repeat(100_000))), /more than/],
  ['no program', (number) => start(2, number, []), /program/],
  ['no number of a session', (number) => start(0, number, cat), /number/],
  ['a start that is cut short', (number) => startFrame(requests.spawn, 2).u32(number).u16(80).finish(), /cut short/],
  [
    'more arguments than there are',
    (number) =>
      startFrame(requests.spawn, 2).u32(number).u16(80).u16(24).u32(65_536).text('').text('/').u32(4_000).finish(),
    /cut short/,
  ],
  [
    'a size of nothing',
    (number) => encodeFrame(requests.resize, 1, { request: number, cols: 0, rows: 24 }),
    /at least one/,
  ],
  ['a size that is cut short', (number) => startFrame(requests.resize, 1).u32(number).u16(80).finish(), /cut short/],
  ['a signal that is cut short', (number) => startFrame(requests.signal, 1).u32(number).finish(), /cut short/],
  ['a close that is cut short', (number) => startFrame(requests.close, 1).u32(number).u16(1).finish(), /cut short/],
  ['a start longer than a frame', (number) => tooLong(requests.spawn, 2, number), /longer than a frame/],
  ['a write longer than a frame', (number) => tooLong(requests.write, 1, number), /longer than a frame/],
])('%s is an error of that request', async (_what, frame, message) => {
  owner.write(start(1, 1, cat))
  await next(answers.spawned)
  owner.write(frame(7))
  const error = decodePayload(answers.error, await next(answers.error))
  expect(error.request).toBe(7)
  expect(error.errno).toBeGreaterThan(0)
  expect(error.message).toMatch(message)
  await expectRunning()
})

function tooLong({ type }: FrameRow, session: number, number: number): Buffer {
  const bytes = Buffer.alloc(12 + frameBytesMax + 1)
  bytes.writeUInt32LE(frameBytesMax + 1, 0)
  bytes.writeUInt32LE(session, 4)
  bytes.writeUInt8(type, 8)
  bytes.writeUInt32LE(number, 12)
  return bytes
}

test.each<[string, Buffer]>([
  ['notes that are too long', encodeFrame(requests.meta, 1, { meta: Buffer.alloc(notesBytesMax + 1) })],
  ['a watch without a value', startFrame(requests.watch, 1).finish()],
  ['half an offset', startFrame(requests.attach, 1).u32(0).finish()],
  ['half an acknowledgement', startFrame(requests.ack, 1).u32(0).finish()],
  ['a write without a number', startFrame(requests.write, 1).u16(0).finish()],
  ['an unknown request', new FrameWriter(200, 1).u32(5).finish()],
  ['a list without a number', startFrame(requests.list, 0).finish()],
])('%s is an error of no request', async (_what, frame) => {
  owner.write(start(1, 1, cat))
  await next(answers.spawned)
  owner.write(frame)
  expect(decodePayload(answers.error, await next(answers.error)).request).toBe(0)
  await expectRunning()
})

/** The existing session answers, so the frame after the invalid one was understood. */
async function expectRunning(): Promise<void> {
  owner.write(encodeFrame(requests.attach, 1, { from: 0 }))
  owner.write(encodeFrame(requests.write, 1, { request: 8, input: Buffer.from('alive\n') }))
  const { request, result } = decodePayload(answers.written, await next(answers.written))
  expect([request, writeResults[result]]).toEqual([8, 'all'])
}
