/** The engine's end of the socket, with a host that answers as the test says. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodePayload, encodeFrame, FrameSplitter } from './frames.ts'
import { HostLink } from './host-link.ts'
import { answers, requests } from './protocol.ts'

type Reply = (frame: Buffer) => void

let folder: string
let host: Server
let link: HostLink
/** Is handed the number of each request but HELLO. */
let asked: (request: number, reply: Reply, end: () => void) => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-link-'))
  const path = join(folder, 'host')
  host = createServer((socket) => answer(socket))
  await new Promise<void>((resolve) => void host.listen(path, resolve))
  link = (await HostLink.connect(path, () => {})).link
})
afterEach(() => {
  link.disconnect()
  host.close()
  rmSync(folder, { recursive: true })
})

function answer(socket: Socket): void {
  const frames = new FrameSplitter()
  const reply: Reply = (frame) => void socket.write(frame)
  socket.on('data', (bytes: Buffer) => {
    for (const { type, payload } of frames.push(bytes)) {
      if (type === requests.hello.type)
        reply(encodeFrame(answers.hello, 0, { version: 1, pid: 1, sessions: 0, granted: true, dropsInput: true }))
      // The number is the first field of every request that is answered.
      else asked(decodePayload(requests.list, payload).request, reply, () => socket.end())
    }
  })
}

function kept(id: number, request: number): Buffer {
  const program = { pid: 1, start: 0, end: 0, exited: false, code: 0, signal: 0 }
  return encodeFrame(answers.session, id, {
    ...program,
    request,
    cols: 80,
    rows: 24,
    resizes: [],
    meta: '',
    moments: [],
    exitedAt: 0,
  })
}

test('concurrent list requests have their own sessions each, and one that is refused has none', async () => {
  const numbers: number[] = []
  asked = (request, reply) => {
    numbers.push(request)
    const [first = 0, refused = 0, last = 0] = numbers
    if (numbers.length < 3) return
    for (const frame of [kept(1, first), kept(2, refused), kept(3, last), kept(4, first)]) reply(frame)
    reply(encodeFrame(answers.error, 0, { request: refused, errno: constants.errno.ENOMEM, message: 'no memory' }))
    for (const request of [last, first]) reply(encodeFrame(answers.listed, 0, { request }))
  }
  const lists = [link.list(), link.list(), link.list()].map((list) => list.then((all) => all.map(({ id }) => id)))
  const [first, refused, last] = await Promise.allSettled(lists)
  expect([first, last]).toMatchObject([{ value: [1, 4] }, { value: [3] }])
  expect(refused).toMatchObject({ reason: { message: expect.stringContaining('no memory') } })
})

test('a request that cannot be written as a frame fails, and the others have their own answers', async () => {
  asked = (request, reply) => reply(encodeFrame(answers.resized, 1, { request, offset: 0, cols: 1, rows: 1 }))
  const sizes = [80, -1, 90].map((cols) => link.find(1).resize({ cols, rows: 24 }))
  const statuses = (await Promise.allSettled(sizes)).map(({ status }) => status)
  expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('requests that are open when the host goes away fail, and later ones too', async () => {
  asked = () => link.disconnect()
  await expect(link.list()).rejects.toMatchObject({ code: 'host_gone' })
  await expect(link.costs()).rejects.toMatchObject({ code: 'host_gone' })
})

test('a host that was asked to end has ended only once its connection has', async () => {
  const order: string[] = []
  let end = () => {}
  asked = (request, reply, hangUp) => {
    end = hangUp
    reply(encodeFrame(order.push('asked') === 1 ? answers.done : answers.listed, 0, { request }))
  }
  const shutdown = link.shutdown().then(() => order.push('ended'))
  await link.list()
  order.push('hangs up')
  end()
  await shutdown
  expect(order).toEqual(['asked', 'asked', 'hangs up', 'ended'])
})
