import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { OutputLog } from './output-log.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const bytes = (source: string): Uint8Array => Buffer.from(source, 'latin1')

function logOf(source: string, capacityBytes: number, start = 0): OutputLog {
  const log = new OutputLog({ capacityBytes, start })
  log.append(bytes(source))
  return log
}

test('a read gives the bytes between two offsets', () => {
  const slice = logOf('0123456789', 100).read({ since: 2, until: 5 })
  assert.deepEqual({ ...slice, bytes: text(slice.bytes) }, { bytes: '234', from: 2, next: 5, missedBytes: 0 })
})

test('a reader that was too slow learns how much it missed', () => {
  const slice = logOf('0123456789', 4).read({ since: 1 })
  assert.deepEqual({ ...slice, bytes: text(slice.bytes) }, { bytes: '6789', from: 6, next: 10, missedBytes: 5 })
})

test('a read beyond the end is empty and continues at the end', () => {
  const slice = logOf('abc', 10).read({ since: 50 })
  assert.deepEqual({ ...slice, bytes: text(slice.bytes) }, { bytes: '', from: 3, next: 3, missedBytes: 0 })
})

test('a range that was evicted whole is missed whole, and what follows it is not skipped', () => {
  const slice = logOf('0123456789', 4).read({ since: 1, until: 3 })
  assert.deepEqual({ ...slice, bytes: text(slice.bytes) }, { bytes: '', from: 3, next: 3, missedBytes: 2 })
})

test('a log may begin at a later offset', () => {
  const log = logOf('abc', 10, 1_000)
  assert.equal(log.start, 1_000)
  assert.equal(log.end, 1_003)
  assert.equal(text(log.read({ since: 1_001 }).bytes), 'bc')
})

test('the retained part of a range is read into the memory of the reader', () => {
  const target = bytes('----------')
  assert.equal(text(logOf('0123456789', 4).readInto(target, 3, 8)), '67')
  assert.equal(text(target), '67--------')
  assert.equal(text(logOf('0123456789', 100).readInto(target, 9, 50)), '9')
  assert.equal(text(logOf('0123456789', 4).readInto(target, 0, 3)), '')
})

test('a slice that was read does not change when its bytes are evicted', () => {
  const log = logOf('abcd', 4)
  const slice = log.read({ since: 0 })
  log.append(bytes('efghijkl'))
  assert.equal(text(slice.bytes), 'abcd')
})

for (const [name, source, offset, lookback, want] of [
  ['the line begins after the last line feed', 'ab\ncd\nef', 8, 100, 6],
  ['an offset just after a line feed begins its own line', 'ab\ncd\nef', 6, 100, 6],
  ['a line feed at the offset itself belongs to the line', 'ab\ncd\nef', 5, 100, 3],
  ['without a line feed it is the start of the log', 'abcdef', 4, 100, 0],
  ['no farther back than the lookback', 'ab\ncdef', 7, 2, 5],
  ['an offset beyond the end is the end', 'ab\ncd', 99, 100, 3],
] as const) {
  test(name, () => assert.equal(logOf(source, 100).lineStartBefore(offset, lookback), want))
}

test('a million one-byte appends keep memory to the blocks', () => {
  const log = new OutputLog({ capacityBytes: 64 * 1024 })
  const one = bytes('x')
  for (let index = 0; index < 1_000_000; index += 1) log.append(one)
  assert.equal(log.end, 1_000_000)
  assert.equal(log.read({ since: 0 }).missedBytes, 1_000_000 - 64 * 1024)
})

const chunksOf = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })

test('any chunking gives the reads of the whole, and what is missed is what was evicted', () => {
  fc.assert(
    fc.property(chunksOf, fc.integer({ min: 1, max: 200 }), fc.nat(300), fc.nat(300), (chunks, capacityBytes, a, b) => {
      const whole = Buffer.concat(chunks)
      const log = new OutputLog({ capacityBytes })
      for (const chunk of chunks) log.append(chunk)
      const start = Math.max(0, whole.length - capacityBytes)
      assert.deepEqual([log.start, log.end], [start, whole.length])
      const slice = log.read({ since: a, until: b })
      assert.equal(text(slice.bytes), text(whole.subarray(slice.from, slice.next)))
      if (a < b) assert.equal(slice.missedBytes, Math.max(0, Math.min(start, b) - Math.min(a, whole.length)))
      const from = Math.min(Math.max(a, start), whole.length)
      const found = from === 0 ? -1 : whole.lastIndexOf(0x0a, from - 1)
      assert.equal(log.lineStartBefore(a, b), Math.max(found + 1, from - b, start))
    }),
  )
})

test('chaining next visits each kept byte once, however small the reads', () => {
  fc.assert(
    fc.property(
      chunksOf,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 50 }),
      (chunks, capacityBytes, maxBytes) => {
        const log = new OutputLog({ capacityBytes })
        const seen: Uint8Array[] = []
        let since = 0
        let missed = 0
        for (const chunk of chunks) {
          log.append(chunk)
          const slice = log.read({ since, maxBytes })
          seen.push(slice.bytes)
          missed += slice.missedBytes
          since = slice.next
        }
        while (since < log.end) {
          const slice = log.read({ since, maxBytes })
          seen.push(slice.bytes)
          missed += slice.missedBytes
          since = slice.next
        }
        assert.equal(Buffer.concat(seen).length + missed, log.end)
      },
    ),
  )
})
