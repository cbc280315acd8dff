import assert from 'node:assert/strict'
import { frameBytesMax } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { FrameReader, FrameSplitter, FrameWriter } from './frames.ts'

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
