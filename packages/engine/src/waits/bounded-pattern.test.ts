import assert from 'node:assert/strict'
import { searchMatchesMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import {
  checkPattern,
  matchBriefly,
  matchesInLines,
  matchingLines,
  matchLong,
  searchableText,
} from './bounded-pattern.ts'

/** On a busy machine the time on the spot may be over before the search has started. */
const found = async (pattern: string, text: string) =>
  matchBriefly(searchFor(pattern, text)) ?? (await matchLong(searchFor(pattern, text))).found
const searchFor = (pattern: string, text: string) => ({ pattern, text, after: -1, linewise: false })

test.each<[string, string, string, string]>([
  ['matches with their positions', 'b+', 'abbbab', '1-4 5-6'],
  ['the start and the end of each line', '^b$', 'a\nb\nb', '2-3 4-5'],
  ['nothing', 'x', 'abc', ''],
  ['matches of nothing', 'x*', 'ab', '0-0 1-1 2-2'],
])('gives %s', async (_name, pattern, text, want) => {
  const positions = (await found(pattern, text)).map(({ start, end }) => `${start}-${end}`)
  assert.equal(positions.join(' '), want)
})

test('a pattern that would take for ever is given up on the spot, and refused by the thread', async () => {
  const search = searchFor('^(a+)+$', `${'a'.repeat(30)}b`)
  assert.equal(matchBriefly(search), null)
  await expect(matchLong(search)).rejects.toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('(a+)+') }),
  )
  // And the next one is as good as ever.
  assert.equal((await found('a+', search.text)).length, 1)
})

test('what takes too long on the spot is found in a thread', async () => {
  const text = `${'x'.repeat(200_000)}needle`
  assert.deepEqual((await matchLong(searchFor('needle$', text))).found, [{ start: 200_000, end: 200_006 }])
  assert.deepEqual((await matchingLines({ pattern: '^b' }, ['a', 'b', 'bb'])).hits, [1, 2])
})

test.each(['(', '[', '*', '(?<n'])('%s is refused as no regular expression', (pattern) => {
  const refusal = expect.objectContaining({
    code: 'invalid_input',
    message: expect.stringContaining('regular expression'),
  })
  expect(() => checkPattern(pattern)).toThrowError(refusal)
  expect(() => matchBriefly(searchFor(pattern, 'x'))).toThrowError(refusal)
})

test('matches have a limit', async () => {
  assert.equal((await found('.', 'x'.repeat(10_000))).length, searchMatchesMax)
})

test.each<[string, string, string]>([
  ['plain text as it is', 'Grüße 😀\tx\n', 'Grüße 😀\tx\n'],
  ['no carriage returns', 'a\r\nb\r', 'a\nb'],
  ['no colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['no colours with colons', '\x1b[38:2::1:2:3mred', 'red'],
  ['no private modes', '\x1b[?2004hx\x1b[?25l', 'x'],
  ['no titles, ended either way', '\x1b]2;title\x07a\x1b]0;other\x1b\\b', 'ab'],
  ['no links, but what they are on', '\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['no title that has not ended yet', 'a\x1b]2;tit', 'a'],
  ['no device strings', '\x1bP1$r0m\x1b\\x', 'x'],
  ['no character sets', '\x1b(B\x1b)0x', 'x'],
  ['no keypad modes', '\x1b=\x1b>x', 'x'],
  ['no saved cursors', '\x1b7x\x1b8', 'x'],
  ['no bells, backspaces and the like', 'a\x07b\x08c\x7f', 'abc'],
])('%s', (_name, source, want) => {
  assert.equal(searchableText(Buffer.from(source)), want)
})

test('bytes that are no text cost nothing but themselves', () => {
  assert.equal(searchableText(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb')
})

test('all matches of each line are given by line, without empty ones', async () => {
  const want = [
    { line: 0, start: 0, end: 1 },
    { line: 0, start: 2, end: 4 },
    { line: 2, start: 1, end: 2 },
  ]
  assert.deepEqual(await matchesInLines({ pattern: 'a*', ignoreCase: true }, ['abAA', 'b', 'ba']), want)
  assert.deepEqual(await matchesInLines({ pattern: '^$' }, ['', 'a']), [])
})
