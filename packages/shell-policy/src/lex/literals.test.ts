import { describe, expect, test } from 'vitest'
import { freshSession } from '../judging-fixture.ts'
import { Evaluation } from '../walk/evaluation.ts'
import { plainWords } from './literals.ts'

test.each([
  ['git status --short', ['git', 'status', '--short']],
  ['make  -j4 all ', ['make', '-j4', 'all']],
  ['git commit -m "one line"', ['git', 'commit', '-m', 'one line']],
  [`echo "X"1'y z'`, ['echo', 'X1y z']],
  ['docker run --name=x a/b:1.2@sha', ['docker', 'run', '--name=x', 'a/b:1.2@sha']],
])('%s is plain', (line, words) => {
  expect(plainWords(line)).toEqual(words)
})

test.each([
  'a; b',
  'a | b',
  'a > b',
  'a &',
  'echo $x',
  'ls *',
  'ls ~',
  'echo {a,b}',
  'a # b',
  'a\nb',
  'x=1',
  'x=1 a',
  'if a',
  'for x in a',
  'time a',
  'exec a',
  'a !b',
  '!a',
  '(a)',
  'a \\b',
  '',
  ' ',
  '2',
  'echo =ls',
  'a?',
])('%s is not', (line) => {
  expect(plainWords(line)).toBeNull()
})

describe('a plain line is judged as the parser would have it', () => {
  const words = [
    'rm',
    '-rf',
    '/',
    'x',
    'sudo',
    'dd',
    'of=/dev/sda',
    'git',
    'push',
    '--force',
    'curl',
    'http://x',
    'cat',
    '/etc/shadow',
    'env',
    'python3',
    '-c',
    'id',
    '..',
    '/home/dev',
    'find',
    '-delete',
    '.',
    'xargs',
    'kill',
    '-9',
    '-1',
    'chmod',
    '777',
    'test',
    'cd',
    'tee',
  ]
  const lines = words.flatMap((first) =>
    words.flatMap((second) => words.slice(0, 12).map((third) => `${first} ${second} ${third}`)),
  )
  test(`${lines.length} lines`, () => {
    const judged = (line: string) => {
      const evaluation = Evaluation.of(freshSession().state)
      evaluation.runText(line)
      return evaluation.found
    }
    const different = lines.filter((line) => {
      if (plainWords(line) === null) return false
      const { code, rule } = judged(line)
      const parsed = judged(`${line}\n`)
      return code !== parsed.code || rule !== parsed.rule
    })
    expect(different).toEqual([])
  })
})
