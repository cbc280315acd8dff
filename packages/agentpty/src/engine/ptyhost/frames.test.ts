import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { frameBytesMax } from '../../contracts/limits.ts'
import { FrameReader, FrameSplitter, FrameWriter, request } from './frames.ts'

test('fields come back as they were written, in their order', () => {
  const bytes = new FrameWriter(request.spawn, 7)
    .u8(255)
    .u16(65_535)
    .u32(4_294_967_295)
    .u64(2 ** 53 - 1)
    .blob('grün')
    .blobs(['a', '', 'b'])
    .raw(Buffer.from('rest'))
    .finish()
  const [frame, ...others] = new FrameSplitter().push(bytes)
  assert.equal(others.length, 0)
  assert.deepEqual([frame?.type, frame?.session], [request.spawn, 7])
  const reader = new FrameReader(frame?.payload ?? Buffer.alloc(0))
  assert.deepEqual([reader.u8(), reader.u16(), reader.u32(), reader.u64()], [255, 65_535, 4_294_967_295, 2 ** 53 - 1])
  assert.equal(reader.blob(), 'grün')
  assert.deepEqual(
    Array.from({ length: reader.u32() }, () => reader.blob()),
    ['a', '', 'b'],
  )
  assert.equal(reader.rest().toString(), 'rest')
})

test('the layout is the protocol’s: length, session, type, three zeros, payload, little-endian', () => {
  const bytes = new FrameWriter(request.resize, 0x01020304).u16(80).u16(24).finish()
  assert.equal(bytes.toString('hex'), '04000000' + '04030201' + '07000000' + '50001800')
})

test('negative numbers and short texts are read', () => {
  const payload = Buffer.concat([Buffer.from('ffffffff', 'hex'), Buffer.from('bash\0\0\0\0')])
  const reader = new FrameReader(payload)
  assert.deepEqual([reader.i32(), reader.text(8)], [-1, 'bash'])
})

test('reading past the end of a payload throws', () => {
  assert.throws(() => new FrameReader(Buffer.from([1, 2, 3])).u32())
  assert.throws(() => new FrameReader(Buffer.alloc(8)).rest().readUInt8(8))
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
          frames.map((one) => new FrameWriter(one.type, one.session).raw(one.payload).finish()),
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
