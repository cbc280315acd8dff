/** Pipelines as a person runs them: a real daemon that is killed in between, and agents that are shell scripts. */

import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownRun } from '@agentpty/protocol/pipelines'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
  const agent = join(instance.user, 'tiny')
  writeFileSync(agent, agentProgram(instance.user))
  chmodSync(agent, 0o755)
})

/**
 * Records each task and answers in fences, except for `bare`. `hold` waits for the file `go`; `fail` ends with 3; `once` does so only the
 * first time.
 */
const agentProgram = (folder: string) => `#!/bin/bash
printf 'agent> '
while IFS= read -r task; do
  [ -z "$task" ] && continue
  echo "$task" >> ${folder}/tasks
  case "$task" in
    hold*) while [ ! -e ${folder}/go ]; do read -t 0.05 never < <(:); done ;;
    fail*) exit 3 ;;
    bare*) printf 'only words\\nagent> '; continue ;;
    once*) [ $(grep -c '^once' ${folder}/tasks) -gt 1 ] || exit 3 ;;
  esac
  printf '[termtile-response]\\ndone: %s\\n[/termtile-response]\\nagent> ' "$task"
done
`

const tasks = () => readFileSync(join(instance.user, 'tasks'), 'utf8').trim().split('\n')

async function pipeline(...args: readonly string[]) {
  const { code, stdout, stderr } = await instance.cli('pipeline', ...args)
  return { code, stdout, stderr, run: stdout.startsWith('{"run"') ? (JSON.parse(stdout).run as ShownRun) : null }
}

/** Writes a file with these steps; each is done by the tiny agent. */
function file(steps: string): string {
  const path = join(instance.user, 'pipeline.yaml')
  writeFileSync(path, steps.replaceAll('AGENT', join(instance.user, 'tiny')))
  return path
}

const states = ({ steps }: ShownRun) => Object.fromEntries(steps.map(({ key, state }) => [key, state]))

async function stateOf(runId: string, key: string): Promise<string | undefined> {
  const { run } = await pipeline('show', runId, '--json')
  return run?.steps.find((step) => step.key === key)?.state
}

const chain = `
inputs: {what: null}
steps:
  audit: {agent: AGENT, task: 'audit {{inputs.what}}'}
  fix: {agent: AGENT, needs: [audit], each: [a, b], task: 'fix'}
  sum: {agent: AGENT, needs: [fix], task: 'sum'}
`

test('steps are done in their order, and their answers are stored', async () => {
  const { code, stdout } = await pipeline('run', file(chain), '--input', 'what=src')
  assert.equal(code, 0, stdout)
  expect(stdout).toMatch(/run-1 .*done: 4 of 4 done/)
  expect(tasks().toSorted()).toEqual(['audit src', 'fix', 'fix', 'sum'])
  expect((await pipeline('show', 'run-1', 'audit')).stdout).toBe('done: audit src\n')
  expect((await pipeline('ls')).stdout).toMatch(/^run-1 {2}done {2}4 of 4 done/)
  expect((await instance.cli('ls')).stdout).toBe('No terminals.\n')
})

test('the answer of a step without fences is marked as the end of its screen', async () => {
  const { run } = await pipeline('run', file('steps:\n  a: {agent: AGENT, task: bare}\n'), '--json')
  expect(run?.steps).toMatchObject([{ state: 'done', why: expect.stringContaining('the end of its screen') }])
})

test('errors in a file are reported before anything is started', async () => {
  expect(await pipeline('run', file(chain))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"what" is missing'),
  })
  const wrong = await pipeline('run', file('steps:\n  a: {agent: AGENT, task: t, needs: [b]}\n'))
  expect(wrong.stderr).toContain('"a" needs "b", which is none')
  expect(existsSync(join(instance.user, 'tasks'))).toBe(false)
})

test('a run continues with the next daemon, and no step is done twice', async () => {
  const holding = chain.replace("'audit", "'hold audit")
  const { run } = await pipeline('run', file(holding), '--input', 'what=x', '--detach', '--json')
  assert.equal(run?.state, 'running')
  await until(async () => (await stateOf('run-1', 'audit')) === 'working')
  for (let time = 0; time < 2; time++) {
    const { pid } = (await instance.status()).daemon
    process.kill(pid, 'SIGKILL')
    await until(() => !isAlive(pid))
    await until(async () => (await stateOf('run-1', 'audit')) === 'working')
  }
  writeFileSync(join(instance.user, 'go'), '')
  await until(async () => (await stateOf('run-1', 'sum')) === 'done')
  const { run: over } = await pipeline('show', 'run-1', '--json')
  expect(over?.state).toBe('done')
  expect(tasks().toSorted()).toEqual(['fix', 'fix', 'hold audit x', 'sum'])
})

test('a failed step is retried as often as it says, and dependent steps are skipped', async () => {
  const steps = `steps:
  a: {agent: AGENT, task: once, retries: 1}
  b: {agent: AGENT, task: fail}
  c: {agent: AGENT, task: c, needs: [b]}
  d: {agent: AGENT, task: d, needs: [b], when: [{step: b, state: failed}, {step: b, exit: 3}]}
`
  const { code, run } = await pipeline('run', file(steps), '--json')
  expect([code, run?.state]).toEqual([0, 'done'])
  assert.ok(run)
  expect(states(run)).toEqual({ a: 'done', b: 'failed', c: 'skipped', d: 'done' })
  expect(run.steps).toMatchObject([
    { attempt: 2 },
    { exitCode: 3, why: 'Its program has ended with 3.' },
    { why: 'b is failed' },
    {},
  ])
})

test('failed steps are retried on request, and finished ones stay', async () => {
  const steps = `steps:
  a: {agent: AGENT, task: a}
  b: {agent: AGENT, task: once, needs: [a]}
  c: {agent: AGENT, task: c, needs: [b]}
`
  const first = await pipeline('run', file(steps), '--json')
  expect([first.code, first.run?.state]).toEqual([1, 'failed'])
  const second = await pipeline('resume', 'run-1', '--json')
  expect([second.code, second.run?.state]).toEqual([0, 'done'])
  expect(tasks()).toEqual(['a', 'once', 'once', 'c'])
})

test('a cancelled run ends its agents', async () => {
  await pipeline(
    'run',
    file('steps:\n  a: {agent: AGENT, task: hold}\n  b: {agent: AGENT, task: b, needs: [a]}\n'),
    '--detach',
  )
  await until(async () => (await stateOf('run-1', 'a')) === 'working')
  const { run } = await pipeline('cancel', 'run-1', '--json')
  assert.ok(run)
  expect([run.state, states(run)]).toEqual(['cancelled', { a: 'cancelled', b: 'cancelled' }])
  expect((await instance.cli('ls')).stdout).toBe('No terminals.\n')
})
