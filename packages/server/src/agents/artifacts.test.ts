import assert from 'node:assert/strict'
import { artifactBytesMax, artifactsMax } from '@agentpty/protocol'
import type { AgentStore } from '@agentpty/protocol/agents'
import { test } from 'vitest'
import { memoryStore } from './agents-file.ts'
import { Artifacts } from './artifacts.ts'
import { KeptByTerminal } from './kept-nodes.ts'

/** Opens the artifacts of a server that starts with the contents of this store. */
function open(store: AgentStore = memoryStore()) {
  const kept = new KeptByTerminal(store)
  return { store, kept, artifacts: new Artifacts(kept, store) }
}

const answer = (output: string) => ({ output, source: 'fences' as const })
const task = { nonce: null, since: 0, givenAt: 1, before: null }

test('an artifact that is too long keeps its head at hand, no character of it cut, and is whole in the store', () => {
  const { store, artifacts } = open()
  const long = `a${'é'.repeat(1_000_000)}`
  assert.equal(artifacts.keep('term-1', answer(long), 5).output, long)
  const kept = artifacts.find('term-1')
  assert.equal(kept?.originalBytes, 2_000_001)
  assert.equal(kept.capturedAt, 5)
  assert.equal(Buffer.byteLength(kept.output), artifactBytesMax - 1)
  assert.ok(long.startsWith(kept.output))
  assert.equal(store.loadArtifact('term-1'), long)
})

test('the artifact captured first goes first, with its text', () => {
  const { store, artifacts } = open()
  for (let number = 0; number <= artifactsMax; number++) artifacts.keep(`term-${number}`, answer('x'), 0)
  assert.equal(artifacts.find('term-0'), null)
  assert.equal(store.loadArtifact('term-0'), null)
  assert.notEqual(artifacts.find('term-1'), null)
})

test('tasks and artifacts are there for the next server', () => {
  const { store, kept, artifacts } = open()
  kept.begin('term-1', task)
  artifacts.keep('term-1', answer('done'), 5)
  const next = open(store)
  const found = { output: 'done', source: 'fences', originalBytes: 4, capturedAt: 5, taskId: 'task-1' }
  assert.deepEqual(next.artifacts.find('term-1'), found)
  assert.equal(next.kept.begin('term-2', task).taskId, 'task-2')
})

test('the answer to an earlier task is none to a later one', () => {
  const { kept, artifacts } = open()
  kept.begin('term-1', task)
  artifacts.keep('term-1', answer('first'), 5)
  kept.begin('term-1', task)
  assert.equal(artifacts.find('term-1'), null)
  assert.equal(artifacts.keep('term-1', answer('second'), 6).taskId, 'task-2')
})

test('a task that could not be given leaves the one before', () => {
  const { kept, artifacts } = open()
  const first = kept.begin('term-1', task)
  artifacts.keep('term-1', answer('first'), 5)
  kept.begin('term-1', task)
  kept.restore('term-1', first)
  assert.equal(artifacts.find('term-1')?.output, 'first')
})
