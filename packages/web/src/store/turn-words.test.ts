import type { Row } from '@agentpty/protocol/overview'
import { needWith, rowWith } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { needWords, turnWords } from './turn-words.ts'

const build = (more: Partial<Row>) => rowWith('term-1', { name: 'build', ...more })
const busy = build({ state: 'busy', kind: null })

test.each<[string, Partial<Row>, readonly string[]]>([
  ['it is the person’s turn', { state: 'ready' }, ['build: your turn']],
  ['it has failed', { state: 'exited', exitCode: 2 }, ['build: ended (exit 2)']],
  ['it was ended', { state: 'exited', signal: 'SIGTERM' }, ['build: ended (SIGTERM)']],
  ['it has ended well', { state: 'exited', exitCode: 0 }, ['build: ended']],
  ['it prints', { state: 'busy', lastOutputAt: 1_000 }, []],
])('the terminal in focus is announced: %s', (_what, after, want) => {
  expect(turnWords([busy], [build(after)], { focusedId: 'term-1' })).toEqual(want)
})

test.each<[string, Partial<Row>, readonly string[]]>([
  ['turns', { state: 'ready' }, []],
  ['good ends', { state: 'exited', exitCode: 0 }, []],
  ['failures', { state: 'exited', exitCode: 2 }, ['build: ended (exit 2)']],
])('announcements for other terminals: %s', (_what, after, want) => {
  expect(turnWords([busy], [build(after)], { focusedId: null })).toEqual(want)
})

test('initial states and known requests are not announced', () => {
  expect(turnWords([], [build({ state: 'ready' })], { focusedId: 'term-1' })).toEqual([])
  const need = needWith('n1')
  expect(needWords([need], [need])).toEqual([])
})

test('announces a request with its origin and text, in one line', () => {
  const needs = [
    needWith('n1', { title: 'claude', kind: 'dialog', text: 'Delete\n 3 files?' }),
    needWith('n2', { title: 'ssh', kind: 'password', text: 'Password:' }),
    needWith('n3', { title: 'codex', kind: 'approval', text: 'rm -r build' }),
    needWith('n4', { title: 'broken', kind: 'failure', text: 'It has ended with exit code 3.' }),
    needWith('n5', { title: 'stuck', kind: 'takeOver', text: 'Solve it.' }),
  ]
  expect(needWords([], needs)).toEqual([
    'claude asks a question: Delete 3 files?',
    'ssh asks for a password: Password:',
    'codex needs approval: rm -r build',
    'stuck asks you to take over: Solve it.',
  ])
})
