import assert from 'node:assert/strict'
import { openFakeSession } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { type FindOptions, findLines } from './find-lines.ts'

const animals = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen'].map((name) => `${name}\r\n`).join('')

function find(output: string, pattern: string, rest: Partial<FindOptions> = {}) {
  const { pty, session } = openFakeSession({ info: { logBytes: 4_000_000 } })
  pty.prints(output)
  const options = {
    since: 0,
    until: session.parsedTo,
    sought: { pattern },
    contextLines: 0,
    maxBytes: 10_000,
    secrets: null,
  }
  return findLines(session, { ...options, ...rest })
}

test.each<[string, string, number, readonly string[]]>([
  ['the lines that match', 'e', 0, ['5: bee', '20: elk', '35: hen']],
  ['those around them', '^dog$', 1, ['10: cat', '15: dog', '20: elk']],
  ['a gap between groups', 'ant|hen', 1, ['0: ant', '5: bee', '--', '30: gnu', '35: hen']],
  ['neighbours once', 'cat|dog', 1, ['5: bee', '10: cat', '15: dog', '20: elk']],
  ['nothing', 'zebra', 2, []],
])('gives %s', async (_name, pattern, contextLines, want) => {
  const { output } = await find(animals, pattern, { contextLines })
  assert.deepEqual(output === '' ? [] : output.split('\n'), want)
})

test('matches are lines, however often each of them matches', async () => {
  const output = Array.from({ length: 100 }, () => 'aaaaaaaaaa\r\n').join('')
  assert.equal((await find(output, 'a')).matches, 100)
})

test('what was on a line as a person saw it is searched, not what was erased', async () => {
  assert.equal((await find('working\rdone   \r\n', 'working')).matches, 0)
  assert.equal((await find('\x1b[31mer\x1b[1mror\x1b[0m: x\r\n', '^error: x$')).matches, 1)
})

test('a huge output is searched as well', async () => {
  const output = `${'noise\r\n'.repeat(50_000)}\x1b[31merror\x1b[0m: boom\r\n${'noise\r\n'.repeat(50_000)}`
  const found = await find(output, '^error: boom$', { contextLines: 1 })
  assert.equal(found.matches, 1)
  assert.deepEqual(found.output.split('\n'), ['349993: noise', '350000: error: boom', '350022: noise'])
})

test('what does not fit is not shown, but counted', async () => {
  const { output, matches } = await find('same line\r\n'.repeat(100), 'same', { maxBytes: 256 })
  assert.equal(matches, 100)
  assert.ok(Buffer.byteLength(output) <= 256 && output.startsWith('0: same line\n11: same line'))
})

test('bytes that the log evicted are reported', async () => {
  const { pty, session } = openFakeSession({ info: { logBytes: 1_000 } })
  for (let count = 0; count < 12; count++) {
    pty.prints('x'.repeat(100))
    await session.screen()
  }
  const options = {
    since: 50,
    until: session.parsedTo,
    sought: { pattern: 'x' },
    contextLines: 0,
    maxBytes: 1_000,
    secrets: null,
  }
  assert.equal((await findLines(session, options)).missedBytes, 150)
})

test('lines around a match are shown across the pieces that a huge output is searched in', async () => {
  const output = Array.from({ length: 60_000 }, (_, at) => `line ${at}\r\n`).join('')
  const found = await find(output, '0000$', { contextLines: 1, maxBytes: 10_000 })
  const texts = found.output.split('\n').map((line) => line.replace(/^\d+: /, ''))
  assert.deepEqual(texts.slice(3, 7), ['--', 'line 19999', 'line 20000', 'line 20001'])
  assert.equal(texts.filter((text) => text === '--').length, 5 - 1)
})

test('a pattern that backtracks for ever is refused, with what to do, and the thread goes on for the others', async () => {
  const output = `${'a'.repeat(40)}!\r\n`
  const evil = ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(.*a){25}x', '^(([a-z])+)+$', '^(?=(a+)+$)b', '^(\\w+)\\1*(a*)*$']
  const refused = expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('takes longer') })
  await Promise.all(evil.map((pattern) => expect(find(output, pattern)).rejects.toThrowError(refused)))
  assert.equal((await find(output, '^a+!$')).matches, 1)
})
