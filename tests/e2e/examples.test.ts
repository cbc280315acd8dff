/** The examples as a reader would run them, on the built package. */

import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { run } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

let scratch: string
beforeEach(() => {
  scratch = scratchFolder()
})

const says: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'build-to-error': ['the build ended with 1', /^1 line of \d+ bytes/m, /main\.c:2:\d+: error: .*answr/],
  'gdb-backtrace': ['SIGSEGV', /^#0 .*last_value .*at .*segfault\.c:\d+/m, /^#1 .*main/m],
  'installer-answered': [
    '-> (as proposed)',
    '-> yes',
    '-> (a password)',
    'installed in /opt/tool, password of 11 characters',
  ],
  'vim-driven': [/^roses are red\nviolets are blue\n~/m, 'roses are red\nviolets are blue\n'],
  'two-terminals': ['the server saw the request; the client got 200'],
  'team-of-agents': [
    'the first says: done: find what is wrong',
    'the second has finished: done: sum up what',
    'the message "it was summed up" was taken',
  ],
  'bandit-of-keystrokes': [/^round 10: mean reward/m, /^it has learned to press [hjkl] \(\d+ %\)$/m],
  'agent-evaluated': ['3 of 3 solved', '3 trials: [{'],
  'followed-live': ["there already: [ 'before' ]", 'your turn: line', 'line 1\r\nline 2\r\nline 3', 'ended with 3'],
}

test('every example is run here', () => {
  const there = readdirSync('examples').filter((name) => name.endsWith('.ts'))
  expect(there.map((name) => name.replace('.ts', '')).toSorted()).toEqual(Object.keys(says).toSorted())
})

test.each(Object.entries(says))('%s', async (name, words) => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: scratch, TMPDIR: scratch, SHELL: '/bin/bash', LANG: 'C.UTF-8' }
  const result = await run(process.execPath, ['--import', 'tsx', resolve('examples', `${name}.ts`)], env)
  expect([result.code, result.stderr]).toEqual([0, ''])
  for (const word of words) {
    if (typeof word === 'string') expect(result.stdout).toContain(word)
    else expect(result.stdout).toMatch(word)
  }
})
