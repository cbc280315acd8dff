import assert from 'node:assert/strict'
import {
  argumentBytesMax,
  argumentsMax,
  notedArgvBytesMax,
  notesBytesMax,
  pathBytesMax,
  startBytesMax,
} from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { assertStartable, notedArgv } from './check-start.ts'

const start = { argv: ['sh'], env: {}, cwd: '/', meta: '{}' }
const many = (count: number, text: string) => Array.from({ length: count }, () => text)
const variables = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, value]))

test.each<[string, Partial<typeof start>, RegExp]>([
  ['a NUL in an argument', { argv: ['sh', 'a\0b'] }, /Argument 1 .*NUL.*character 2/],
  ['a NUL in the program', { argv: ['sh\0'] }, /Argument 0 .*NUL/],
  ['a NUL in a value', { env: { SECRET: 'x\0' } }, /"SECRET".*NUL/],
  ['a NUL in a name', { env: { 'A\0': 'x' } }, /NUL/],
  ['a NUL in the cwd', { cwd: '/\0' }, /cwd.*NUL/],
  ['an argument that is too long', { argv: ['é'.repeat(argumentBytesMax / 2 + 1)] }, /Argument 0.*131072.*131071/],
  ['a variable that is too long', { env: { A: 'x'.repeat(argumentBytesMax) } }, /"A".*131073.*131071/],
  ['too many arguments', { argv: many(argumentsMax + 1, '') }, /4097 arguments.*4096/],
  ['too many variables', { env: variables(argumentsMax + 1, '') }, /4097 variables.*4096/],
  ['too much in all', { argv: many(30, 'x'.repeat(100_000)) }, /3000270 bytes.*1835008/],
  ['too much environment', { env: variables(30, 'x'.repeat(100_000)) }, /bytes.*1835008/],
  ['a long cwd', { cwd: 'x'.repeat(pathBytesMax + 1) }, /cwd: 4096.*4095/],
  ['long notes', { meta: 'x'.repeat(notesBytesMax + 1) }, /kept.*16385.*16384/],
])('%s is refused with the limit', (_what, part, message) => {
  expect(() => assertStartable({ ...start, ...part })).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
  )
})

test('a value is never shown: it may be a secret', () => {
  const env = { TOKEN: `${'secret'.repeat(30_000)}\0` }
  assert.throws(
    () => assertStartable({ ...start, env }),
    (error: Error) => !error.message.includes('secret'),
  )
})

test('what just fits is taken', () => {
  const piece = 'x'.repeat(startBytesMax / 14 - 9)
  const fitting = { argv: many(14, piece), env: {}, cwd: 'x'.repeat(pathBytesMax), meta: 'x'.repeat(notesBytesMax) }
  assertStartable(fitting)
  assert.throws(() => assertStartable({ ...fitting, argv: [...fitting.argv, ''] }))
})

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
