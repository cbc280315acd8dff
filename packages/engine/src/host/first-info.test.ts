import assert from 'node:assert/strict'
import { notedArgvBytesMax } from '@agentpty/protocol'
import { test } from 'vitest'
import { notedArgv } from './first-info.ts'

const bytesOf = (argv: readonly string[]) => Buffer.byteLength(JSON.stringify(argv))

test('short arguments are kept as they are', () => {
  const argv = ['bash', '-c', 'echo "ä"', '']
  assert.deepEqual(notedArgv(argv), argv)
})

test('of a long command its beginning is kept', () => {
  const [shell, flag, line = ''] = notedArgv(['bash', '-c', `first ${'x'.repeat(100_000)}`])
  assert.deepEqual([shell, flag], ['bash', '-c'])
  assert.match(line, /^first x+…$/)
})

test.each<[string, readonly string[]]>([
  ['a long argument', ['sh', 'x'.repeat(1_000_000)]],
  ['many arguments', Array.from({ length: 4_096 }, () => 'x'.repeat(25))],
  ['many empty arguments', Array.from({ length: 4_096 }, () => '')],
  ['control characters', ['sh', '\u0001'.repeat(100_000)]],
  ['a long program', ['/'.repeat(4_000), '/'.repeat(4_000)]],
])('%s take no more room than there is', (_what, argv) => {
  assert.ok(bytesOf(notedArgv(argv)) <= notedArgvBytesMax + 16)
})
