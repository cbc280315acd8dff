import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageBytesMax } from '../limits.ts'
import { isObject, LineSplitter, parseObject } from './line-wire.ts'

test('lines come out whole however the stream is cut, characters too', () => {
  const line = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => text.trim() !== '' && !text.includes('\n'))
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 10 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }),
      (lines, lengths) => {
        const stream = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        const splitter = new LineSplitter()
        const seen: string[] = []
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1
          seen.push(...splitter.push(stream.subarray(at, at + length)))
          at += length
        }
        assert.deepEqual(seen, lines)
        assert.equal(splitter.rest().length, 0)
      },
    ),
  )
})

test('empty lines are nothing', () => {
  assert.deepEqual(new LineSplitter().push(Buffer.from('\n \n{}\n\r\n')), ['{}'])
})

test('the rest of an unfinished line goes to the next reader', () => {
  const splitter = new LineSplitter()
  assert.deepEqual(splitter.push(Buffer.from('one\ntw')), ['one'])
  assert.equal(splitter.rest().toString(), 'tw')
  assert.deepEqual(splitter.push(Buffer.from('three\n')), ['three'])
})

test('a chunk may be overwritten once it was taken', () => {
  const splitter = new LineSplitter()
  const chunk = Buffer.from('hel')
  splitter.push(chunk)
  chunk.fill(0x78)
  assert.deepEqual(splitter.push(Buffer.from('lo\n')), ['hello'])
})

test('a line without end is an error before it fills the memory', () => {
  const splitter = new LineSplitter()
  const piece = Buffer.alloc(messageBytesMax / 4, 'x')
  for (let count = 0; count < 4; count++) splitter.push(piece)
  expect(() => splitter.push(piece)).toThrowError(expect.objectContaining({ code: 'message_too_large' }))
})

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ['[1]', null],
  ['"text"', null],
  ['null', null],
  ['{"a":', null],
  ['', null],
])('%s is an object or nothing', (line, want) => {
  assert.deepEqual(parseObject(line), want)
  assert.equal(isObject(want), want !== null)
})
