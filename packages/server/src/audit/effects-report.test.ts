import type { RecordOf } from '@agentpty/protocol/audit'
import { expect, test } from 'vitest'
import { effectsReport } from './effects-report.ts'

let n = 0
const position = () => ({ n: ++n, id: `au-${n}`, at: n * 1_000, prev: '' })

const effect = (more: Partial<RecordOf<'effect'>>): RecordOf<'effect'> => ({
  ...position(),
  kind: 'effect',
  session: 'term-1',
  question: 1,
  what: 'delete',
  count: 1,
  program: 'rm',
  pid: 10,
  command: 'rm -rf keep',
  area: '/home/ada/keep',
  path: '/home/ada/keep/a',
  ...more,
})

test('a question counts once, with the calls that its last record has', () => {
  const report = effectsReport([effect({}), effect({ count: 40 }), effect({ count: 81 })])
  expect(report).toMatchObject({
    questions: 1,
    terminals: 1,
    rows: [{ questions: 1, calls: 81, terminals: ['term-1'] }],
  })
})

test('questions of one program about one place are a row, those that were asked most first', () => {
  const report = effectsReport([
    effect({ program: 'mv', what: 'move' }),
    effect({ question: 2, pid: 11 }),
    effect({ session: 'term-2', pid: 12, command: 'rm keep/b' }),
  ])
  expect(report.rows).toMatchObject([
    { program: 'rm', questions: 2, terminals: ['term-1', 'term-2'], command: 'rm keep/b' },
    { program: 'mv', verb: 'move', questions: 1 },
  ])
  expect([report.questions, report.terminals]).toEqual([3, 2])
})

test('calls that could not be judged are counted by reason, each terminal with its last count', () => {
  const blind = (session: string, count: number): RecordOf<'gate'> => ({
    ...position(),
    kind: 'gate',
    event: 'blind',
    session,
    why: 'uring',
    count,
  })
  expect(effectsReport([blind('term-1', 1), blind('term-1', 3), blind('term-2', 2)]).blind).toEqual({ uring: 5 })
})
