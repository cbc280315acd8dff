import assert from 'node:assert/strict'
import { test } from 'vitest'
import { brief } from './brief.ts'

const sure = { output: '$', cursor: 7, state: 'ready', kind: 'shell' }

test.each<[string, object, object]>([
  ['a wait that was met', { sent: true, outcome: 'met', ...sure, confidence: 'certain' }, sure],
  [
    'the keys that the caller sent',
    { sent: true, keys: ['escape'], sequences: ['\x1b'], ...sure, confidence: 'high' },
    sure,
  ],
  ['why a verdict is likely', { ...sure, confidence: 'medium', evidence: ['it waits'] }, sure],
])('a model does not read %s', (_what, result, want) => {
  assert.deepEqual(brief({ ...result }), want)
})

test.each<[string, object]>([
  ['that a wait ended otherwise', { outcome: 'timeout', output: '', cursor: 7, state: 'busy', evidence: ['it works'] }],
  ['why a verdict is doubtful', { ...sure, confidence: 'low', evidence: ['quiet for 2 s'] }],
  ['how a command ended', { ...sure, exitCode: 1 }],
  ['each terminal of a wait whole', { terminals: [{ terminalId: 'term-1', outcome: 'met', ...sure }] }],
])('a model reads %s', (_what, result) => {
  assert.deepEqual(brief({ ...result }), result)
})

test('what is long comes last, where a client that shortens does least harm', () => {
  assert.deepEqual(Object.keys(brief({ ...sure })), ['cursor', 'state', 'kind', 'output'])
})
