/** The harness runs most commands in the process of a test: they print there what they print as a process. */

import { beforeAll, expect, test } from 'vitest'
import { runHere } from '../harness/command-line.ts'
import { program, run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

beforeAll(async () => {
  expect(await instance.cli('new', '--name', 'one', '--', 'cat')).toMatchObject({ code: 0, stderr: '' })
})

/** Times and ids differ from call to call. */
const comparable = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+(\.\d+)? ?m?s\b/g, 'TIME')
    .replace(/\bau-\w+|\bap-\d+/g, 'ID')
    .replace(/"(\w*(At|Ms|Offset|since|cursor))": ?"?[\w.:-]+"?/gi, '"$1": N')

test.each<readonly string[]>([
  ['--version'],
  ['--help'],
  ['read', '--help'],
  ['status'],
  ['ls', '--json'],
  ['ls'],
  ['new', '--size', 'x'],
  ['send', 'one', 'hello'],
  ['wait', 'one', '--text', 'hello'],
  ['read', 'one'],
  ['screen', 'one'],
  ['screen', 'none'],
  ['close', 'none'],
  ['approvals'],
  ['run', '--', 'rm', '-rf', '/'],
  ['audit', '--json'],
  ['nothing'],
  ['read'],
  ['read', '--lines', 'x', 'one'],
  ['token'],
  ['config'],
])('%j', async (...args) => {
  const here = await runHere(args, instance.env)
  const there = await run(process.execPath, [program, ...args], instance.env)
  expect([here.code, comparable(here.stdout), comparable(here.stderr)]).toEqual([
    there.code,
    comparable(there.stdout),
    comparable(there.stderr),
  ])
})
