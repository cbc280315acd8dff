import { describe, expect, test } from 'vitest'
import { plainYaml, readYaml, yamlLineAt } from './config-file.ts'

const read = (text: string) => {
  const found = readYaml(text)
  return 'fault' in found ? found.fault : plainYaml(found.value)
}

test('values know their lines', () => {
  const found = readYaml('a: 1\nb:\n  - x\n  - y: [1, 2]\n')
  if ('fault' in found) throw new Error(found.fault.what)
  expect(plainYaml(found.value)).toEqual({ a: 1, b: ['x', { y: [1, 2] }] })
  expect([['a'], ['b'], ['b', 1], ['b', 1, 'y', 0], ['c'], []].map((path) => yamlLineAt(found.value, path))).toEqual([
    1, 2, 4, 4, 1, 1,
  ])
})

test('JSON is read as well', () => {
  expect(read('{\n\t"a": ["\\u0041", true, null]\n}')).toEqual({ a: ['A', true, null] })
})

describe('YAML that could cost more than its length is refused, with its line', () => {
  const bomb = Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at}, `.repeat(9)}]`)
  test.each<[string, string, number]>([
    ['an alias', 'a: &x 1\nb: *x\n', 2],
    ['aliases of aliases', ['l0: &l0 [x]', ...bomb].join('\n'), 2],
    ['lists in lists in lists', `a: 1\nb: ${'['.repeat(60_000)}`, 2],
    ['lists in maps', '{a: '.repeat(15_000), 1],
    ['lists behind dashes', `\n${'- '.repeat(30_000)}`, 2],
    ['lists on lines of their own', Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}-`).join('\n'), 14],
    ['a key twice', 'a: 1\na: 2\n', 2],
    ['a key that is a list', '? [a]\n: b\n', 1],
    ['what is no text', 'a: !!binary aGk=\n', 1],
    ['two documents', 'a: 1\n---\nb: 2\n', 2],
    ['no YAML', 'rows: 20\n  cols: 3\n', 1],
  ])('%s', (_name, text, line) => {
    expect(read(text)).toMatchObject({ what: expect.any(String), line })
  })
})

test('a key named like a part of every object is a key', () => {
  expect(Object.keys(read('__proto__: {a: 1}\nconstructor: 2\n') as object)).toEqual(['__proto__', 'constructor'])
})
