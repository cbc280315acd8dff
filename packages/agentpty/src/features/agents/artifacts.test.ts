import assert from 'node:assert/strict'
import { test } from 'vitest'
import { artifactBytesMax, artifactsMax } from '../../contracts/limits.ts'
import { Artifacts } from './artifacts.ts'

test('an artifact that is too long keeps its head, no character of it cut, and its length', () => {
  const artifacts = new Artifacts()
  const long = `a${'é'.repeat(1_000_000)}`
  assert.equal(artifacts.keep('term-1', long, 5).output, long)
  const kept = artifacts.find('term-1')
  assert.equal(kept?.originalBytes, 2_000_001)
  assert.equal(kept.capturedAt, 5)
  assert.equal(Buffer.byteLength(kept.output), artifactBytesMax - 1)
  assert.ok(long.startsWith(kept.output))
})

test('the artifact captured first goes first', () => {
  const artifacts = new Artifacts()
  for (let number = 0; number <= artifactsMax; number++) artifacts.keep(`term-${number}`, 'x', 0)
  assert.equal(artifacts.find('term-0'), null)
  assert.notEqual(artifacts.find('term-1'), null)
})
