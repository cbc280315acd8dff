/** Agents that start agents endlessly, or that request more rights than their parents have. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
})

const limits = (text: string) => writeFileSync(join(instance.home, 'config.yaml'), `agents:\n  limits: ${text}\n`)

/** The programs of terminals: each has its terminal's environment. */
async function programs(): Promise<number> {
  const { terminals } = JSON.parse((await instance.cli('ls', '--json')).stdout)
  return terminals.filter(({ isActive }: { readonly isActive: boolean }) => isActive).length
}

test('of 1,000 simultaneous starts from within a terminal 30 succeed, and the others start nothing', async () => {
  limits('{children: 5000, total: 5000}')
  const person = await instance.rpc()
  const { pid } = await person.call('create', { command: ['cat'] })
  const inside = await instance.rpcFrom(pid)
  const before = instance.processes().length
  const bomb = Array.from({ length: 1_000 }, (_, at) =>
    (at % 2 === 0
      ? inside.call('spawn', { command: ['cat'], waitTimeoutMs: 0 })
      : inside.call('create', { command: ['cat'], waitFor: 'none' })
    ).then(
      () => 'started',
      ({ code, message }) => `${code}: ${message}`,
    ),
  )
  const ends = await Promise.all(bomb)
  expect(ends.filter((end) => end === 'started')).toHaveLength(30)
  const refusals = new Set(ends.filter((end) => end !== 'started'))
  expect([...refusals]).toEqual([
    'limit_reached: 30 terminals were opened below term-1 within a minute, and the limit (agents.limits.startsPerMinute) is 30: nothing was started.',
  ])
  expect(await programs()).toBe(31)
  // Each is a program and its keeper.
  await until(() => instance.processes().length === before + 60)
})

test('a chain of agents that each start the next one ends at the limit of levels', async () => {
  limits('{depth: 20, startsPerMinute: 1000}')
  const file = join(instance.user, 'next.py')
  const next = [process.execPath, program, 'new', '--name']
  writeFileSync(
    file,
    `import subprocess, sys, time
n = int(sys.argv[1])
done = subprocess.run(${JSON.stringify(next)} + ['level-%d' % (n + 1), '--', 'python3', ${JSON.stringify(file)}, str(n + 1)], capture_output=True, text=True)
print(done.stderr, flush=True)
sys.stdin.read()`,
  )
  const person = await instance.rpc()
  await person.call('create', { name: 'level-0', command: ['python3', file, '0'], waitFor: 'none' })
  await person.call('wait', { terminalIds: ['level-0'], waitFor: { text: '\n' } })
  await until(async () => (await person.call('list', {})).terminals.some(({ name }) => name === 'level-20'))
  const refused = await person.call('wait', {
    terminalIds: ['level-20'],
    since: [0],
    waitFor: { text: 'nothing was started' },
    waitTimeoutMs: 30_000,
  })
  expect(refused.terminals).toMatchObject([{ outcome: 'met' }])
  expect(await programs()).toBe(21)
})

test('an agent’s limits apply to all agents below it, whatever they request', async () => {
  const person = await instance.rpc()
  const { terminal } = await person.call('spawn', { command: ['cat'], limits: { total: 2 }, waitTimeoutMs: 0 })
  const inside = await instance.rpcFrom(terminal?.pid ?? 0)
  const child = await inside.call('create', { command: ['cat'], limits: { total: 100 } })
  const grandchild = await (await instance.rpcFrom(child.pid)).call('create', { command: ['cat'] })
  const deepest = await instance.rpcFrom(grandchild.pid)
  await expect(deepest.call('run', { command: 'true' })).rejects.toMatchObject({
    code: 'limit_reached',
    message: expect.stringContaining('2 terminals run below term-1'),
  })
})
