import type { AwaitedAgent } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { codeOf, lineOf } from './wait.ts'

const seen = (more: Partial<AwaitedAgent>): AwaitedAgent => ({ terminalId: 'term-1', ...more })

test.each<[string, Partial<AwaitedAgent>, string, number]>([
  ['has finished', { outcome: 'finished', state: 'ready' }, 'term-1  finished\n', 0],
  ['has ended with success', { outcome: 'finished', state: 'exited', exitCode: 0 }, 'term-1  ended with 0\n', 0],
  [
    'was ended by a signal',
    { outcome: 'finished', state: 'exited', signal: 'SIGKILL' },
    'term-1  ended with SIGKILL\n',
    5,
  ],
  ['is late', { outcome: 'timeout', state: 'busy' }, 'term-1  not yet\n', 4],
  ['was closed', { outcome: 'gone' }, 'term-1  was closed\n', 1],
  ['asks', { outcome: 'asks', question: 'Sure?' }, 'term-1  asks: Sure?   Answer it: agentpty agent reply term-1\n', 1],
])('an agent that %s', (_what, one, line, code) => {
  expect(lineOf(seen(one))).toBe(line)
  expect(codeOf([seen(one)], 'all')).toBe(code)
  expect(codeOf([seen(one)], 'any')).toBe(code)
})

test('a late agent fails a wait for all agents, and no wait for any of them', () => {
  const agents = [seen({ outcome: 'finished', state: 'ready' }), seen({ outcome: 'timeout' })]
  expect([codeOf(agents, 'all'), codeOf(agents, 'any')]).toEqual([4, 0])
})

test('an agent that is still working does not fail the wait', () => {
  expect(codeOf([seen({}), seen({ outcome: 'finished', state: 'ready' })], 'any')).toBe(0)
})
