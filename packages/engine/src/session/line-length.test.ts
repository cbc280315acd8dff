import assert from 'node:assert/strict'
import { test } from 'vitest'
import { LineLength } from './input-writer.ts'

const x = (count: number) => 'x'.repeat(count)

test.each<[string, readonly string[], string, number]>([
  ['one line, without its end', [], `${x(5_000)}\r`, 5_000],
  ['the longest of several', [], `${x(300)}\r${x(900)}\n${x(10)}`, 900],
  ['a line that was begun before', [x(4_000)], x(200), 4_200],
  ['only what came after the last line end', [`${x(4_000)}\r${x(100)}`], x(300), 400],
  ['a line that ctrl+c has dropped', [`${x(4_000)}\x03`], x(300), 300],
])('the length counted is that of %s', (_what, typed, bytes, longest) => {
  const line = new LineLength()
  for (const each of typed) line.typed(Buffer.from(each))
  assert.equal(line.longestWith(Buffer.from(bytes)), longest)
})
