import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { searchMatchesMax } from '../../contracts/limits.ts'
import { checkPattern, lookBriefly, lookLong, matchingLines } from './bounded-pattern.ts'

/** On a busy machine a look on the spot may be over before it has begun. */
const found = async (pattern: string, text: string) =>
  lookBriefly(lookFor(pattern, text)) ?? (await lookLong(lookFor(pattern, text))).found
const lookFor = (pattern: string, text: string) => ({ pattern, text, after: -1, linewise: false })

test.each<[string, string, string, string]>([
  ['matches with their places', 'b+', 'abbbab', '1-4 5-6'],
  ['the start and the end of each line', '^b$', 'a\nb\nb', '2-3 4-5'],
  ['nothing', 'x', 'abc', ''],
  ['matches of nothing', 'x*', 'ab', '0-0 1-1 2-2'],
])('gives %s', async (_name, pattern, text, want) => {
  const places = (await found(pattern, text)).map(({ start, end }) => `${start}-${end}`)
  assert.equal(places.join(' '), want)
})

test('a pattern that would take for ever is given up on the spot, and refused by the thread', async () => {
  const look = lookFor('^(a+)+$', `${'a'.repeat(30)}b`)
  assert.equal(lookBriefly(look), null)
  await expect(lookLong(look)).rejects.toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('(a+)+') }),
  )
  // And the next one is as good as ever.
  assert.equal((await found('a+', look.text)).length, 1)
})

test('what is too long for a look on the spot is found in a thread', async () => {
  const text = `${'x'.repeat(200_000)}needle`
  assert.deepEqual((await lookLong(lookFor('needle$', text))).found, [{ start: 200_000, end: 200_006 }])
  assert.deepEqual((await matchingLines('^b', ['a', 'b', 'bb'])).hits, [1, 2])
})

test.each(['(', '[', '*', '(?<n'])('%s is refused as no regular expression', (pattern) => {
  const refusal = expect.objectContaining({
    code: 'invalid_input',
    message: expect.stringContaining('regular expression'),
  })
  expect(() => checkPattern(pattern)).toThrowError(refusal)
  expect(() => lookBriefly(lookFor(pattern, 'x'))).toThrowError(refusal)
})

test('matches have a limit', async () => {
  assert.equal((await found('.', 'x'.repeat(10_000))).length, searchMatchesMax)
})
