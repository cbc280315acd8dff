/** Scripts validate their arguments before they start: none of these tests runs a script. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { helpOf, problemWith } from './arguments.mjs'
import { scripts } from './table.mjs'

const declared: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts

test('every script of package.json is in the table, and every one of the table is a script', () => {
  const wanted = Object.keys(scripts).map((name) => [name, `node scripts/run.mjs ${name}`])
  expect(declared).toEqual(Object.fromEntries(wanted))
})

const usual = /^[A-Z].*\n\nusage: npm .*\n(.|\n)*--help(.|\n)*\nFor example: npm /

test.each(Object.entries(scripts))(
  '%s has a purpose, options and an example, and refuses an unknown option',
  (name, script) => {
    expect(helpOf(name, script)).toMatch(usual)
    expect(problemWith(script, ['--no-such'])).toBe('there is no option "--no-such"')
  },
)

// Every script takes the same way through run.mjs. Two of them prove it, because a process for each costs more than all other tests here.
test.each(['test', 'lint'])('%s shows its help, and does nothing', (name) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', name, '--help'], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(usual)
})

test.each([
  ['test', 'npm test'],
  ['lint', 'npm run lint'],
])('%s refuses an unknown option with a sentence', (name, call) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', name, '--no-such'], {
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`${call}: there is no option "--no-such". See: ${call} -- --help\n`)
})

test('an unknown script is refused with the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'tset'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('there is no script "tset". There are: demo, install:user, build'),
  ])
})

test('of scripts beside each other, one that fails is named, with its output and exit code 1', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/run/side-by-side.mjs', 'tset'], { encoding: 'utf8' })
  expect(stdout).toMatch(/^\n### tset: FAILED after [\d.]+ s\nthere is no script "tset".*\n\nFailed: tset\n$/)
  expect(status).toBe(1)
})

const some = { words: ['SEED', 0, 1], options: { '--runs': ['N', ''], '--name': ['TEXT', ''], '--keep': [null, ''] } }

test.each<[string, readonly string[], string | null]>([
  ['words and options may come in any order', ['--runs', '3', '7', '--keep'], null],
  ['a value may be joined to its option', ['--runs=3'], null],
  ['a value that is missing is named', ['--runs'], '--runs needs a value: --runs N'],
  ['a number must be one', ['--runs', 'many'], '--runs is "many", which is no whole number'],
  ['a text may be anything', ['--name', '-x'], null],
  ['a switch takes no value', ['--keep=yes'], '--keep takes no value'],
  ['a word too many is named', ['1', '2'], '"2" is more than it takes'],
])('%s', (_what, args, want) => {
  expect(problemWith(some, args)).toBe(want)
})
