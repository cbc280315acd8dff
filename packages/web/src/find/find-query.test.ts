import { expect, test } from 'vitest'
import { type FindStatus, faultIn, soughtIn, statusWords } from './find-query.ts'

const query = { text: 'a.b', isCase: false, isRegex: false }

test('a text is sought as it is typed, and a regular expression as one', () => {
  expect(soughtIn(query)).toEqual({ find: 'a\\.b', ignoreCase: true })
  expect(soughtIn({ ...query, isCase: true, isRegex: true })).toEqual({ find: 'a.b', ignoreCase: false })
})

test('a text is never a wrong expression', () => {
  expect(faultIn({ ...query, text: 'a(' })).toBeNull()
  expect(faultIn({ ...query, text: 'a(', isRegex: true })).toBe('Not a regular expression: unterminated group')
  expect(faultIn({ ...query, text: '(a: b', isRegex: true })).toBe('Not a regular expression: unterminated group')
})

const found = { kind: 'found', place: 3, count: 41, isMore: false } as const

test.each<[string, FindStatus]>([
  ['', { kind: 'idle' }],
  ['Searching…', { kind: 'searching' }],
  ['No matches', { kind: 'missing' }],
  ['Counting…', { ...found, count: null }],
  ['3 of 41', found],
  ['1 of 10,000+', { ...found, place: 1, count: 10_000, isMore: true }],
  ['? of 10,000+', { ...found, place: null, count: 10_000, isMore: true }],
])('%s', (words, status) => {
  expect(statusWords(status)).toBe(words)
})
