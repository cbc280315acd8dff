import { expect, test } from 'vitest'
import { nodeStatuses } from '../agents/lineage.ts'
import { needKinds } from '../need-limits.ts'
import { needWords, stateVocabulary, stateWords, statusWords, type TerminalState } from './state-words.ts'
import { kinds, states } from './verdict.ts'

const plain: TerminalState = {
  state: 'ready',
  kind: null,
  need: null,
  isPaused: false,
  isAgent: false,
  exitCode: null,
  signal: null,
}

function* everyState(): Generator<TerminalState> {
  for (const state of [...states, null])
    for (const kind of [...kinds, null])
      for (const need of [...needKinds, null])
        for (const isPaused of [false, true])
          for (const isAgent of [false, true])
            for (const exitCode of [null, 0, 3])
              for (const signal of [null, 'SIGKILL'])
                yield { ...plain, state, kind, need, isPaused, isAgent, exitCode, signal }
}

test('every state, need and status is shown in the vocabulary', () => {
  const shown = new Set([
    ...[...everyState()].map(stateWords),
    ...Object.values(needWords),
    ...Object.values(statusWords),
  ])
  const outside = [...shown].filter(
    (words) => !stateVocabulary.some((word) => words === word || words.startsWith(`${word} `)),
  )
  expect(outside).toEqual([])
  const used = stateVocabulary.filter((word) => [...shown].some((words) => words.startsWith(word)))
  expect(used).toEqual(stateVocabulary)
})

test('a status of every kind has words', () => {
  expect(Object.keys(statusWords).toSorted()).toEqual([...nodeStatuses].toSorted())
})

test.each<[string, Partial<TerminalState>, string]>([
  ['a state that is not known yet', { state: null }, 'unknown'],
  ['a paused program, whatever it asks', { state: 'ready', kind: 'line', isPaused: true }, 'paused'],
  [
    'a program that was paused when it ended',
    { state: 'exited', signal: 'SIGKILL', isPaused: true },
    'ended (SIGKILL)',
  ],
  ['a need, before the kind', { state: 'ready', kind: 'line', need: 'password' }, 'asks for a password'],
  ['a failure, which is no question', { state: 'ready', kind: 'shell', need: 'failure' }, 'at its prompt'],
  ['an agent at a line, where it takes its next task', { state: 'ready', kind: 'line', isAgent: true }, 'idle'],
  ['an agent that shows a dialog', { state: 'ready', kind: 'menu', isAgent: true }, 'asks a question'],
])('%s', (_what, state, words) => {
  expect(stateWords({ ...plain, ...state })).toBe(words)
})
