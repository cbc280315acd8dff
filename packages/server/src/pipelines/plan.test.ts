import type { PipelineRun, StepRun } from '@agentpty/protocol/pipelines'
import { expect, test } from 'vitest'
import { firstSteps, nextOf } from './plan.ts'
import { readPipeline } from './read-pipeline.ts'

/** A run in which this has become of its steps; answers are those of `outputs`. */
function next(
  text: string,
  states: Readonly<Record<string, Partial<StepRun>>> = {},
  outputs: Record<string, string> = {},
) {
  const pipeline = readPipeline(text)
  const steps = firstSteps(pipeline)
  for (const [key, change] of Object.entries(states)) {
    const before = steps[key] ?? { ...Object.values(steps)[0]!, step: key.split('.')[0]! }
    steps[key] = { ...before, ...change }
  }
  const run: PipelineRun = {
    runId: 'run-1',
    pipeline,
    inputs: {},
    cwd: '/',
    client: 'test',
    scope: null,
    state: 'running',
    startedAt: 0,
    endedAt: null,
    steps,
  }
  return nextOf(run, (key) => outputs[key] ?? '')
}

const done = { state: 'done' } as const
const failed = { state: 'failed' } as const
const diamond = `steps:
  a: {agent: x, task: t}
  b: {agent: x, task: t, needs: [a]}
  c: {agent: x, task: t, needs: [a]}
  d: {agent: x, task: t, needs: [b, c]}
`

test('steps begin when all that they need is done', () => {
  expect(next(diamond).begin).toEqual(['a'])
  expect(next(diamond, { a: { state: 'working' } }).begin).toEqual([])
  expect(next(diamond, { a: done }).begin).toEqual(['b', 'c'])
  expect(next(diamond, { a: done, b: done, c: { state: 'working' } }).begin).toEqual([])
  expect(next(diamond, { a: done, b: done, c: done }).begin).toEqual(['d'])
  expect(next(diamond, { a: done, b: done, c: done, d: done })).toMatchObject({ begin: [], over: 'done' })
})

test('no more work at once than the pipeline says', () => {
  expect(next(`atOnce: 1\n${diamond}`, { a: done }).begin).toEqual(['b'])
  expect(next(`atOnce: 1\n${diamond}`, { a: done, b: { state: 'starting' } }).begin).toEqual([])
})

test('what needs a step that has failed is skipped, and the run has failed', () => {
  expect(next(diamond, { a: failed }).settled).toEqual({ key: 'b', state: 'skipped', why: 'a is failed' })
  const skipped = { state: 'skipped' } as const
  expect(next(diamond, { a: failed, b: skipped, c: skipped, d: skipped }).over).toBe('failed')
})

test('a step that asks how another one has ended deals with its failure', () => {
  const text = `steps:
  a: {agent: x, task: t}
  repair: {agent: x, task: t, needs: [a], when: [{step: a, state: failed}]}
`
  expect(next(text, { a: failed }).begin).toEqual(['repair'])
  expect(next(text, { a: done }).settled).toMatchObject({ key: 'repair', state: 'skipped' })
  expect(next(text, { a: failed, repair: done }).over).toBe('done')
})

test.each<[string, Partial<StepRun>, boolean]>([
  ['{step: a, answer: yes}', {}, true],
  ['{step: a, answer: no}', {}, false],
  ['{step: a, answer: no, not: true}', {}, true],
  ['{step: a, exit: 0}', { exitCode: 0 }, true],
  ['{step: a, exit: 0}', { exitCode: null }, false],
])('a condition: %s', (condition, a, isMet) => {
  const text = `steps:\n  a: {agent: x, task: t}\n  b: {agent: x, task: t, needs: [a], when: [${condition}]}\n`
  expect(next(text, { a: { ...done, ...a } }, { a: 'yes, it is' }).begin).toEqual(isMet ? ['b'] : [])
})

test('a step is done for each item, and what needs it waits for all of them', () => {
  const text = `steps:
  list: {agent: x, task: t}
  fix: {agent: x, task: 'do {{item}}', needs: [list], each: list}
  sum: {agent: x, task: '{{fix.output}}', needs: [fix]}
`
  const { grown } = next(text, { list: done }, { list: ' one\n\ntwo ' })
  expect(grown?.key).toBe('fix')
  expect(Object.entries(grown?.steps ?? {}).map(([key, { item }]) => [key, item])).toEqual([
    ['fix.1', 'one'],
    ['fix.2', 'two'],
  ])
  expect(next(text, { list: done }, {}).settled).toMatchObject({ key: 'fix', state: 'skipped' })
  const many = Array.from({ length: 300 }, (_, at) => `item ${at}`).join('\n')
  expect(next(text, { list: done }, { list: many }).settled).toMatchObject({ key: 'fix', state: 'failed' })
})
