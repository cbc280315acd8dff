import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findSets, loadScenarios } from './scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, lines: readonly string[]): string => {
  const file = join(folder, name)
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

const scenario = (id: string, argv: readonly string[] = ['cat']): string =>
  JSON.stringify({ id, program: 'cat', argv, phases: [{ send: null, state: 'waiting', kind: 'line' }] })

describe('the sets of the bench', () => {
  const files = findSets(new URL('scenarios', import.meta.url).pathname)

  test('are read, and no id is used twice', () => {
    const found = new Set(loadScenarios(files).map(({ set }) => set))
    expect([...found]).toEqual([
      'classes',
      'held-out',
      'public',
      'sealed-2',
      'sealed-3',
      'sealed',
      'silent',
      'tuned',
      'unread-2',
      'unread',
    ])
  })

  test.each(files)('%s is sorted by id', (file) => {
    const ids = loadScenarios([file]).flatMap(({ id, plainShell }) => (plainShell ? [] : [id]))
    expect(ids).toEqual(ids.toSorted())
  })
})

test('a set is named by its file, with or without the suffix, or with others by their folder', () => {
  const sets = join(folder, 'sets')
  mkdirSync(sets)
  const a = written('sets/a.jsonl', [scenario('a')])
  const b = written('sets/b.jsonl', [scenario('b')])
  expect(findSets(a)).toEqual([a])
  expect(findSets(join(sets, 'a'))).toEqual([a])
  expect(findSets(`${sets}/`)).toEqual([a, b])
  expect(loadScenarios([a, b]).map(({ id, set }) => [id, set])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
})

test('a folder without a set is refused', () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  expect(() => findSets(empty)).toThrow(/empty has no file \*\.jsonl/)
})

test('a scenario of an interactive shell is played without marks, too', () => {
  const file = written('shell.jsonl', [scenario('shell', ['{BASH}'])])
  expect(loadScenarios([file]).map(({ id }) => id)).toEqual(['shell', 'shell+plain'])
})

test.each<[string, readonly string[], RegExp]>([
  ['broken JSON', [scenario('a'), '{"id":'], /broken\.jsonl:2 is no JSON: /],
  ['an empty line', [scenario('a'), '', scenario('b')], /broken\.jsonl:2 is no JSON: /],
  ['a missing field', [JSON.stringify({ id: 'a' })], /broken\.jsonl:1 is no scenario: [\s\S]*program/],
  ['an id that is no name', [scenario('a'), scenario('b c')], /broken\.jsonl:2 is no scenario: [\s\S]*id/],
  [
    'an id that is used twice',
    [scenario('a'), scenario('a')],
    /broken\.jsonl:2: the id a is already used in .*broken\.jsonl:1$/,
  ],
])('%s is refused with its file and line', (_name, lines, message) => {
  expect(() => loadScenarios([written('broken.jsonl', lines)])).toThrow(message)
})

test('an id that another set uses is refused with both lines', () => {
  const files = [written('one.jsonl', [scenario('a')]), written('two.jsonl', [scenario('b'), scenario('a')])]
  expect(() => loadScenarios(files)).toThrow(/two\.jsonl:2: the id a is already used in .*one\.jsonl:1$/)
})
