import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { type Files, folderWith, removeFolders } from '../folder-fixture.ts'
import {
  checkDataset,
  datasetOf,
  digestOf,
  isIgnored,
  parseIgnoreRules,
  readDatasetToml,
  taskDigest,
  writeDatasetToml,
} from './dataset.ts'

afterAll(removeFolders)

const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const zero = `sha256:${'0'.repeat(64)}`

test('a task hashes to the lines of its files, in the order of their paths', () => {
  const folder = folderWith({
    'task.toml': 'a',
    'instruction.md': 'b',
    'environment/Dockerfile': 'c',
    'tests/a/b': 'd',
    'other.txt': 'e',
    'tests/x.pyc': '',
  })
  const lines = [
    ['environment/Dockerfile', 'c'],
    ['instruction.md', 'b'],
    ['task.toml', 'a'],
    ['tests/a/b', 'd'],
  ].map(([path, text = '']) => `${path}\0${sha(text)}\n`)
  expect(taskDigest(folder)).toBe(`sha256:${sha(lines.join(''))}`)
})

test('files that .gitignore names do not count', () => {
  const files: Files = { 'task.toml': 'a', 'tests/keep': 'b', '.gitignore': '*.log\n' }
  expect(taskDigest(folderWith({ ...files, 'tests/x.log': 'c' }))).toBe(taskDigest(folderWith(files)))
})

test('a manifest is written, and read back with its unknown keys', () => {
  const folder = folderWith({ 'task.toml': '' })
  const written = { ...datasetOf({ name: 'org/set', description: 'd' }, [{ name: 'org/a', folder }]), gym: { own: 1 } }
  const text = writeDatasetToml(written)
  expect(text).toMatch(/^schema_version = "1\.0"\n\n\[dataset\]/)
  expect(readDatasetToml(text)).toMatchObject({
    dataset: { name: 'org/set', authors: [], keywords: [] },
    tasks: [{ name: 'org/a', digest: taskDigest(folder) }],
    gym: { own: 1 },
  })
})

test('differences from the manifest and missing tasks are reported', () => {
  const folder = folderWith({ 'a/task.toml': '', 'metric.py': 'x' })
  const manifest = readDatasetToml(
    writeDatasetToml({
      dataset: { name: 'o/s' },
      tasks: [
        { name: 'o/a', digest: zero },
        { name: 'o/b', digest: zero },
        { name: 'o/c', digest: taskDigest(`${folder}/a`) },
      ],
      files: [
        { path: 'metric.py', digest: digestOf('x') },
        { path: 'gone', digest: zero },
      ],
    }),
  )
  const faults = checkDataset(manifest, folder, (name) => (name === 'o/b' ? null : `${folder}/a`))
  expect(faults.map(({ name, found }) => [name, found])).toEqual([
    ['o/a', taskDigest(`${folder}/a`)],
    ['o/b', null],
    ['gone', null],
  ])
})

describe('refused:', () => {
  test.each<[string, string, RegExp]>([
    ['no data set', '', /dataset\.toml: dataset: /],
    ['a name without an organization', '[dataset]\nname = "x"', /dataset\.name: "org\/name"/],
    [
      'a digest of another kind',
      '[dataset]\nname = "o/n"\n[[tasks]]\nname = "o/t"\ndigest = "md5:x"',
      /tasks\[0\]\.digest: "sha256:"/,
    ],
  ])('%s', (_name, toml, want) => expect(() => readDatasetToml(toml)).toThrow(want))

  test('a file outside', () => {
    const manifest = readDatasetToml(`[dataset]\nname = "o/n"\n[[files]]\npath = "../x"\ndigest = "${zero}"`)
    expect(() => checkDataset(manifest, folderWith({}), () => null)).toThrow(/has "\.\."/)
  })

  test('two tasks of one name', () => {
    const twice = [
      { name: 'o/a', folder: '/x' },
      { name: 'o/a', folder: '/y' },
    ]
    expect(() => datasetOf({ name: 'o/s' }, twice)).toThrow(/Two tasks are called o\/a/)
  })
})

describe('rules of .gitignore:', () => {
  test.each<[string, string | null, string, boolean]>([
    ['what editors leave', null, 'tests/a.swp', true],
    ['what Python leaves', null, 'tests/__pycache__/x.txt', true],
    ['not what is called alike', null, 'tests/my__pycache__x', false],
    ['a name in any folder', 'a.log', 'x/y/a.log', true],
    ['a name at the root alone', '/a.log', 'x/a.log', false],
    ['a path', 'x/a.log', 'x/a.log', true],
    ['a star stays in one folder', 'x/*.log', 'x/y/a.log', false],
    ['two stars do not', 'x/**/a', 'x/y/z/a', true],
    ['two stars may be nothing', 'x/**/a', 'x/a', true],
    ['all below', 'x/**', 'x/y/z', true],
    ['a folder', 'x/', 'x/y', true],
    ['a file is no folder', 'x/', 'x', false],
    ['an exception', '*.log\n!a.log', 'a.log', false],
    ['a class', '[ab].x', 'b.x', true],
    ['what is not in it', '[!ab].x', 'b.x', false],
    ['what is not in it, as Python and Go write it', '[^ab].x', 'c.x', true],
    ['what is in a class that is turned round', '[^ab].x', 'b.x', false],
    ['a question mark', 'a?c', 'abc', true],
    ['a comment', '# a', '# a', false],
    ['a sign that would be one', '\\#a', '#a', true],
    ['a range', '[a-c]x', 'bx', true],
    ['a bracket that is none', '[x', '[x', true],
    ['a star between', 'a*b*c', 'a-b-b-c', true],
    ['not what only begins alike', 'a*b', 'a-bc', false],
    ['a folder anywhere', 'x/', 'a/x/y', true],
    ['two stars first', '**/x', 'a/b/x', true],
    ['all below, and not itself', 'x/**', 'x', false],
    ['a dot is a dot', 'a.c', 'abc', false],
  ])('%s', (_name, rules, path, want) => expect(isIgnored(parseIgnoreRules(rules), path)).toBe(want))

  test('a rule of many stars takes no longer', () => {
    const rules = parseIgnoreRules(`${'*a'.repeat(100)}b`)
    expect(isIgnored(rules, 'a'.repeat(255))).toBe(false)
  })

  test('a rule that is too long is refused', () => {
    expect(() => parseIgnoreRules('x'.repeat(501))).toThrow(/too long/)
  })
})
