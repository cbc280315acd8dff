import assert from 'node:assert/strict'
import { frameBytesMax } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { decodePayload, encodeFrame, FrameReader, FrameSplitter, FrameWriter } from './frames.ts'
import { answers, requests } from './protocol.ts'

test('the layout is the protocol’s: length, session, type, three zeros, payload, little-endian', () => {
  const bytes = new FrameWriter(7, 0x01020304).u16(80).u16(24).finish()
  assert.equal(bytes.toString('hex'), '04000000' + '04030201' + '07000000' + '50001800')
})

test('fields are read in their order, and reading past the end throws', () => {
  const bytes = new FrameWriter(7, 1)
    .u8(255)
    .u64(2 ** 53 - 1)
    .i32(-1)
    .text('grün')
    .bytes(Buffer.from('rest'))
    .finish()
  const [frame, ...others] = new FrameSplitter().push(bytes)
  assert.equal(others.length, 0)
  const reader = new FrameReader(frame?.payload ?? Buffer.alloc(0))
  assert.deepEqual([reader.u8(), reader.u64(), reader.i32(), reader.text()], [255, 2 ** 53 - 1, -1, 'grün'])
  assert.equal(reader.bytes().toString(), 'rest')
  assert.throws(() => new FrameReader(Buffer.from([1, 2, 3])).u32(), /cut short/)
})

test('frames come out whole however the stream is cut', () => {
  const payload = fc.uint8Array({ maxLength: 3_000 })
  fc.assert(
    fc.property(
      fc.array(fc.record({ type: fc.integer({ min: 0, max: 255 }), session: fc.nat(9_999), payload }), {
        maxLength: 8,
      }),
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 }),
      (frames, lengths) => {
        const stream = Buffer.concat(
          frames.map((one) => new FrameWriter(one.type, one.session).bytes(one.payload).finish()),
        )
        const splitter = new FrameSplitter()
        const seen: { type: number; session: number; payload: string }[] = []
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1
          const got = splitter.push(Buffer.from(stream.subarray(at, at + length)))
          seen.push(...got.map((one) => ({ ...one, payload: one.payload.toString('hex') })))
          at += length
        }
        const want = frames.map((one) => ({ ...one, payload: Buffer.from(one.payload).toString('hex') }))
        assert.deepEqual(seen, want)
      },
    ),
  )
})

test('a frame longer than the protocol allows is refused before it is waited for', () => {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(frameBytesMax + 1, 0)
  assert.throws(() => new FrameSplitter().push(head), /frame of/)
})

function payloadOf(frame: Buffer): Buffer {
  return new FrameSplitter().push(frame)[0]?.payload ?? assert.fail('no whole frame')
}

test('a request is the bytes that its row says', () => {
  const frame = encodeFrame(requests.resize, 0x01020304, { request: 9, cols: 80, rows: 24 })
  assert.equal(frame.toString('hex'), '08000000' + '04030201' + '07000000' + '09000000' + '5000' + '1800')
})

test('every type of field comes back as it was written', () => {
  const fields = {
    u8: 'u8',
    u16: 'u16',
    u32: 'u32',
    i32: 'i32',
    u64: 'u64',
    bool: 'bool',
    text: 'text',
    name: 'name',
    texts: ['text'],
    sizes: [{ cols: 'u16', rows: 'u16' }],
    bytes: 'bytes',
  } as const
  const row = { type: 200, fields }
  const values = {
    u8: 255,
    u16: 65_535,
    u32: 4_294_967_295,
    i32: -1,
    u64: 2 ** 53 - 1,
    bool: true,
    text: 'grün\0',
    name: 'bash',
    texts: ['a', '', 'b'],
    sizes: [{ cols: 80, rows: 24 }],
    bytes: Buffer.from('rest'),
  }
  assert.deepEqual(decodePayload(row, payloadOf(encodeFrame(row, 7, values))), values)
})

test('a name may fill its sixteen bytes', () => {
  const row = { type: 200, fields: { name: 'name' } } as const
  const values = { name: 'sixteen-letters!' }
  assert.deepEqual(decodePayload(row, payloadOf(encodeFrame(row, 0, values))), values)
})

test('a payload that is cut short throws, and one with extra bytes does not', () => {
  const payload = payloadOf(encodeFrame(answers.closed, 1, { request: 3, survivors: 2 }))
  for (let length = 0; length < payload.length; length++) {
    assert.throws(() => decodePayload(answers.closed, payload.subarray(0, length)), /cut short/)
  }
  const longer = Buffer.concat([payload, Buffer.from('what a later version adds')])
  assert.deepEqual(decodePayload(answers.closed, longer), { request: 3, survivors: 2 })
})

test('a text that claims more than there is throws', () => {
  const payload = Buffer.from('03000000' + '05000000' + '10000000' + '6162', 'hex')
  assert.throws(() => decodePayload(answers.error, payload), /cut short/)
})

test('fields that an older ptyhost does not send are 0, and only those may be missing', () => {
  const row = { type: 200, fields: { old: 'u32', newer: 'u64' }, added: 1 } as const
  const payload = payloadOf(encodeFrame(row, 0, { old: 7, newer: 9 }))
  assert.deepEqual(decodePayload(row, payload), { old: 7, newer: 9 })
  assert.deepEqual(decodePayload(row, payload.subarray(0, 4)), { old: 7, newer: 0 })
  assert.throws(() => decodePayload(row, payload.subarray(0, 3)), /cut short/)
  assert.throws(() => decodePayload(row, payload.subarray(0, 8)), /cut short/)
})
