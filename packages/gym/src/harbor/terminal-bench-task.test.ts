import { describe, expect, test } from 'vitest'
import type { WrittenTask } from './harbor-task.ts'
import { randomTask } from './random-task-fixture.ts'
import { readTaskToml } from './read-task.ts'
import { versionOf, writeTaskToml } from './terminal-bench-task.ts'

test('tables are in the order of Harbor, and artifacts are last in the root', () => {
  const text = writeTaskToml({
    solution: {},
    later: { a: 1 },
    environment: { cpus: 1 },
    agent: {},
    verifier: {},
    metadata: { difficulty: 'easy' },
    steps: [{ name: 'a', agent: { timeout_sec: 5 } }],
    task: { name: 'o/n' },
    artifacts: ['/a'],
    own: true,
    multi_step_reward_strategy: 'final',
    source: 's',
  })
  expect(text).toBe(`schema_version = "1.3"
source = "s"
multi_step_reward_strategy = "final"
own = true
artifacts = [ "/a" ]

[task]
name = "o/n"

[[steps]]
name = "a"

[steps.agent]
timeout_sec = 5

[metadata]
difficulty = "easy"

[verifier]
[agent]
[environment]
cpus = 1

[solution]
[later]
a = 1
`)
})

test('null is never written', () => {
  const text = writeTaskToml({
    source: null,
    environment: { cpus: null, mcp_servers: [] },
    artifacts: [{ source: '/a', destination: null }, '/b'],
  })
  expect(text).not.toContain('null')
  expect(readTaskToml(text).written).toEqual({
    schema_version: '1.3',
    artifacts: [{ source: '/a' }, '/b'],
    environment: { mcp_servers: [] },
  })
})

test('a task with every default can be written, and says the same', () => {
  const { task } = readTaskToml('[environment]\ncpus = 1\n[[steps]]\nname = "a"')
  expect(readTaskToml(writeTaskToml(task)).task).toEqual(task)
})

describe('the version is', () => {
  test.each<[string, WrittenTask, string]>([
    ['1.3 where none is said', {}, '1.3'],
    ['the one that was read', { schema_version: '1.0' }, '1.0'],
    ['1.4 with hooks', { schema_version: '1.3', verifier: { collect: [{ command: 'x' }] } }, '1.4'],
    ['1.4 with hooks of a step', { steps: [{ name: 'a', verifier: { collect: [{ command: 'x' }] } }] }, '1.4'],
    ['1.4 with artifacts of a side container', { artifacts: [{ source: '/a', service: 'db' }] }, '1.4'],
    ['a later one', { schema_version: '1.12', artifacts: [{ source: '/a', service: 'db' }] }, '1.12'],
  ])('%s', (_name, written, want) => expect(versionOf(written)).toBe(want))
})

test('a task that could not be read again is not written', () => {
  expect(() => writeTaskToml({ task: { name: 'no organization' } })).toThrow(/task\.name/)
})

test('dates, large numbers and unknown keys come back as they were', () => {
  const text =
    'own = 1\n[environment]\nnew_key = [1, {a = 2}]\n[metadata]\nday = 2026-11-24\nat = 2026-11-24T10:00:00Z\nbig = 9223372036854775807\n[later.deep]\nx = 1.5\n'
  const { written } = readTaskToml(text)
  const again = readTaskToml(writeTaskToml(written))
  expect(again.written).toEqual({ schema_version: '1.3', ...written })
})

test('every random task comes back key for key', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const written = { schema_version: '1.3', ...randomTask(seed) }
    const again = readTaskToml(writeTaskToml(written), `seed ${seed}`)
    const want = { ...written, schema_version: versionOf(written) }
    expect(again.written, `seed ${seed}`).toEqual(want)
    expect(writeTaskToml(again.written), `seed ${seed}`).toBe(writeTaskToml(written))
  }
})
