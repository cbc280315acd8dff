import assert from 'node:assert/strict'
import { test } from 'vitest'
import { countTap, countUnittest, countVitest } from './counts.ts'

test('TAP lines are counted, other output is not', () => {
  assert.deepEqual(countTap('cc -o x\nok 1 - a\nnot ok 2 - b\n  ok 3 nested\nlooks ok 4\nok 5 - c\n'), {
    passed: 2,
    failed: 1,
  })
})

test('a test file that could not be loaded is a failure', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [{}, {}] },
      { status: 'failed', assertionResults: [] },
    ],
  }
  assert.deepEqual(countVitest(JSON.stringify(report)), { passed: 3, failed: 2 })
})

test.each([
  ['Ran 12 tests in 0.1s\n\nOK\n', { passed: 12, failed: 0 }],
  ['Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n', { passed: 2, failed: 3 }],
  ['Traceback\n', { passed: 0, failed: 0 }],
])('unittest prints %j', (output, want) => {
  assert.deepEqual(countUnittest(output), want)
})
