import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { searchMatchesMax } from '../../contracts/limits.ts'
import { checkPattern, matchesOf } from './bounded-pattern.ts'

test.each<[string, string, string, string]>([
  ['matches with their places', 'b+', 'abbbab', '1-4 5-6'],
  ['the start and the end of each line', '^b$', 'a\nb\nb', '2-3 4-5'],
  ['nothing', 'x', 'abc', ''],
  ['matches of nothing', 'x*', 'ab', '0-0 1-1 2-2'],
])('gives %s', (_name, pattern, text, want) => {
  const places = matchesOf(pattern, text).map(({ start, end }) => `${start}-${end}`)
  assert.equal(places.join(' '), want)
})

test('a pattern that would take for ever is refused', () => {
  const text = `${'a'.repeat(30)}b`
  expect(() => matchesOf('^(a+)+$', text)).toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('(a+)+') }),
  )
  // And the next one is as good as ever.
  assert.equal(matchesOf('a+', text).length, 1)
})

test.each(['(', '[', '*', '(?<n'])('%s is refused as no regular expression', (pattern) => {
  const refusal = expect.objectContaining({
    code: 'invalid_input',
    message: expect.stringContaining('regular expression'),
  })
  expect(() => checkPattern(pattern)).toThrowError(refusal)
  expect(() => matchesOf(pattern, 'x')).toThrowError(refusal)
})

test('matches have a limit', () => {
  assert.equal(matchesOf('.', 'x'.repeat(10_000)).length, searchMatchesMax)
})
