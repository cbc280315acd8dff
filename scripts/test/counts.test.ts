import assert from 'node:assert/strict'
import { test } from 'vitest'
import { countTap, countUnittest, countVitest } from './counts.ts'

test('TAP lines are counted, other output is not', () => {
  assert.deepEqual(countTap('cc -o x\nok 1 - a\nnot ok 2 - b\n  ok 3 nested\nlooks ok 4\nok 5 - c\n'), {
    passed: 2,
    failed: 1,
    failures: ['not ok 2 - b'],
  })
})

test('a test file that could not be loaded is a failure, and each is named with what it said', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'counts', status: 'passed' },
          { fullName: 'adds', status: 'failed', failureMessages: ['3 is not 4\n  at …'] },
        ],
      },
      { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  }
  const failures = ['a.test.ts > adds: 3 is not 4', 'b.test.ts > could not be loaded: no such module']
  assert.deepEqual(countVitest(JSON.stringify(report)), { passed: 3, failed: 2, failures })
})

test.each([
  ['Ran 12 tests in 0.1s\n\nOK\n', { passed: 12, failed: 0, failures: [] }],
  [
    'FAIL: a\nERROR: b\nRan 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n',
    { passed: 3, failed: 2, failures: ['FAIL: a', 'ERROR: b'] },
  ],
  ['Traceback\n', { passed: 0, failed: 0, failures: [] }],
])('unittest prints %j', (output, want) => {
  assert.deepEqual(countUnittest(output), want)
})
